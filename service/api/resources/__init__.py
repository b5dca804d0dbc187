"""The operations of the HTTP interface, one module for each resource."""
