"""A publish with a key happens once, however often it is sent."""

import threading

import httpx

from test_problems import problem


def headers(key, **more):
    return {"Idempotency-Key": key, **more}


def test_the_same_request_has_the_same_answer(channel):
    first = channel.post({"message": "m"}, headers=headers("deploy-1"))
    second = channel.post({"message": "m"}, headers=headers("deploy-1"))
    assert (first.status_code, "idempotency-replayed" in first.headers) == (201, False)
    assert (second.status_code, second.headers["idempotency-replayed"]) == (201, "true")
    assert second.json() == first.json()
    assert second.headers["location"] == first.headers["location"]
    assert len(channel.toasts()) == 1


def test_quotes_make_no_difference(channel):
    channel.post({"message": "m"}, headers=headers("k"))
    assert channel.post({"message": "m"}, headers=headers('"k"')).headers["idempotency-replayed"] == "true"


def test_a_different_request_needs_a_different_key(channel):
    channel.post({"message": "m"}, headers=headers("k"))
    problem(channel.post({"message": "n"}, headers=headers("k")), 422, "idempotency-key-reused")
    assert channel.post({"message": "n"}, headers=headers("l")).status_code == 201
    assert len(channel.toasts()) == 2


def test_channels_have_keys_of_their_own(server, name):
    for suffix in "ab":
        response = httpx.post(
            f"{server.url}/v1/channels/{name}-{suffix}/toasts", json={"message": "m"}, headers=headers("k")
        )
        assert "idempotency-replayed" not in response.headers


def test_a_refused_request_uses_no_key(channel):
    assert channel.post({"message": 1}, headers=headers("k")).status_code == 422
    assert channel.post({"message": "m"}, headers=headers("k")).status_code == 201


def test_batches_and_minimal_answers_are_repeated_too(channel):
    batch = [{"message": "1"}, {"message": "2"}]
    first, second = (channel.post(batch, headers=headers("batch")) for _ in range(2))
    assert first.json() == second.json()
    first, second = (channel.post({"message": "m"}, headers=headers("min", Prefer="return=minimal")) for _ in range(2))
    assert second.headers["idempotency-replayed"] == "true"
    assert (second.status_code, second.content, second.headers["location"]) == (201, b"", first.headers["location"])
    assert len(channel.toasts()) == 3


def test_of_simultaneous_requests_with_a_key_one_is_carried_out(channel):
    responses = []

    def post():
        with httpx.Client(base_url=channel.url) as client:
            responses.append(client.post(f"{channel.path}/toasts", json={"message": "m"}, headers=headers("k")))

    threads = [threading.Thread(target=post) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = [response for response in responses if response.status_code == 201]
    assert {response.status_code for response in responses} <= {201, 409}
    assert sum("idempotency-replayed" not in response.headers for response in accepted) == 1
    assert len({response.json()["id"] for response in accepted}) == 1
    assert len(channel.toasts()) == 1


def test_keys_survive_a_restart(launch):
    server = launch()
    path = "/v1/channels/a/toasts"
    first = httpx.post(server.url + path, json={"message": "m"}, headers=headers("k"))
    server.kill()
    server = launch()
    second = httpx.post(server.url + path, json={"message": "m"}, headers=headers("k"))
    assert (second.json(), second.headers["idempotency-replayed"]) == (first.json(), "true")
    assert len(httpx.get(server.url + path).json()["toasts"]) == 1


def test_a_key_is_kept_when_nothing_else_happens(channel):
    """If an equal toast causes no event, the key must be stored all the same."""
    channel.configure(preset="toaster")
    channel.post({"message": "m"})
    first = channel.post({"message": "m"}, headers={"Idempotency-Key": "k"})
    second = channel.post({"message": "m"}, headers={"Idempotency-Key": "k"})
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.headers.get("idempotency-replayed") == "true"
    other = channel.post({"message": "n"}, headers={"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["type"]) == (422, "urn:toastd:problem:idempotency-key-reused")
