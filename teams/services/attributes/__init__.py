"""From attributes, as REST and bundles carry them, to the fields of rows."""
