"""Who asks: tokens as they are shown, issued and used."""
