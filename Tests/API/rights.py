"""The permissions that the operations of the API need."""

# The permission that each operation needs: a scope on the channel of its path, "everywhere" for all channels, or none.
CHANNEL = "/v1/channels/{channel}"
RIGHTS = {
    ("post", f"{CHANNEL}/toasts"): "publish",
    ("get", f"{CHANNEL}/toasts"): "subscribe",
    ("patch", f"{CHANNEL}/toasts"): "publish",
    ("delete", f"{CHANNEL}/toasts"): "publish",
    ("get", f"{CHANNEL}/toasts/{{id}}"): "subscribe",
    ("patch", f"{CHANNEL}/toasts/{{id}}"): "publish",
    ("delete", f"{CHANNEL}/toasts/{{id}}"): "publish",
    ("post", f"{CHANNEL}/toasts/{{id}}/dismiss"): "respond",
    ("post", f"{CHANNEL}/toasts/{{id}}/actions/{{action}}"): "respond",
    ("put", f"{CHANNEL}/toasts/{{id}}/holds/{{holder}}"): "respond",
    ("delete", f"{CHANNEL}/toasts/{{id}}/holds/{{holder}}"): "respond",
    ("get", CHANNEL): "subscribe",
    ("delete", CHANNEL): "manage",
    ("get", f"{CHANNEL}/settings"): "subscribe",
    ("put", f"{CHANNEL}/settings"): "manage",
    ("patch", f"{CHANNEL}/settings"): "manage",
    ("delete", f"{CHANNEL}/settings"): "manage",
    ("get", f"{CHANNEL}/webhooks/{{webhook}}/deliveries"): "manage",
    ("get", f"{CHANNEL}/hooks"): "manage",
    ("get", f"{CHANNEL}/hooks/{{hook}}"): "manage",
    ("put", f"{CHANNEL}/hooks/{{hook}}"): "manage",
    ("delete", f"{CHANNEL}/hooks/{{hook}}"): "manage",
    ("get", f"{CHANNEL}/stream"): "subscribe",
    ("get", f"{CHANNEL}/poll"): "subscribe",
    ("get", f"{CHANNEL}/socket"): "subscribe",
    ("get", "/v1/stream"): "subscribe",
    ("get", "/v1/poll"): "subscribe",
    ("get", "/v1/socket"): "subscribe",
    ("get", "/metrics"): "manage everywhere",
    ("get", "/v1/settings"): "manage everywhere",
    ("patch", "/v1/settings"): "manage everywhere",
    ("put", "/v1/catalogs"): "manage everywhere",
    ("put", "/v1/catalogs/{language}"): "manage everywhere",
    ("delete", "/v1/catalogs/{language}"): "manage everywhere",
    # Built-in words and presets are public.
    ("get", "/v1/catalogs"): None,
    ("get", "/v1/catalogs/{language}"): None,
    ("get", "/v1/presets"): None,
    ("get", "/v1/presets/{preset}"): None,
    ("get", "/v1/styles"): None,
    # Each channel of a publish is answered separately; the list has only channels that the caller may read.
    ("post", "/v1/toasts"): None,
    ("get", "/v1/channels"): None,
    # The secret in the path is the credential.
    ("post", "/v1/hooks/{hook}/{secret}"): None,
    ("post", "/v1/hooks/{hook}"): None,
    # Every caller may read its own permissions.
    ("get", "/v1/session"): None,
    # These need a key or a token of any kind.
    ("post", "/v1/session"): None,
    ("delete", "/v1/session"): None,
    ("post", "/v1/tickets"): None,
    ("get", "/livez"): None,
    ("get", "/readyz"): None,
    ("get", "/openapi.yaml"): None,
    ("get", "/"): None,
}
# Values for the parameters of a path.
NAMES = {
    **{"action": "undo", "holder": "v", "hook": "ci", "language": "fr", "preset": "inapp", "secret": "s"},
    "webhook": "0123456789abcdef",
}
