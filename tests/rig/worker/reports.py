"""Reports of mail servers about mails that they couldn't deliver, or not yet."""


def report(status: str = "5.1.1", action: str = "failed", to: str = "") -> bytes:
    """A delivery report (RFC 3464) that went to an address, with the mail beneath."""
    return (
        "From: MAILER-DAEMON@mx.example\r\n"
        f"To: <{to}>\r\n"
        "Subject: Undelivered Mail\r\n"
        "Auto-Submitted: auto-replied\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n'
        "\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nWe could not deliver it.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example\r\n\r\n"
        "Final-Recipient: rfc822; simon@example.org\r\n"
        f"Action: {action}\r\nStatus: {status}\r\n\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\n"
        "Subject: Yes or No\r\n\r\nplace A on 4\r\n"
        "--b--\r\n"
    ).encode()
