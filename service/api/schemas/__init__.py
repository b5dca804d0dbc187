"""The JSON of the HTTP interface: what requests take and what answers show."""
