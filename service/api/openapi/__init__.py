"""The published contract: what operations declare, written as OpenAPI."""
