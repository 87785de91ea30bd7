"""An app with tools whose effects other processes can see, for tests that kill."""
