"""Acts as a learner at a JupyterHub, over HTTP: logs in, starts a server, runs a cell, stops the server.

client.py URL NAME PASSWORD reads the source of the cell from standard input, runs the cell in the
GoNB kernel, and prints the output of the cell. If there is an error, the exit status is 1.
"""

import asyncio
import json
import sys
import time
import uuid
from urllib.parse import urlsplit

import requests
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

LIMIT = 90  # longest time to wait for a server or a cell, in seconds


def log_in(url, name, password):
    """Logs in and returns a session that sends a token of the learner with each request."""
    session = requests.Session()
    page = session.get(url + "/hub/login", timeout=20)
    page.raise_for_status()
    form = {"username": name, "password": password, "_xsrf": session.cookies.get("_xsrf", "")}
    answer = session.post(url + "/hub/login", data=form, timeout=60, allow_redirects=False)
    if answer.status_code != 302:
        raise SystemExit(f"log-in answered {answer.status_code}")
    answer = session.post(
        f"{url}/hub/api/users/{name}/tokens", timeout=20, json={"expires_in": 600},
        headers={"Referer": url + "/hub/", "X-XSRFToken": session.cookies.get("_xsrf", "")},
    )
    answer.raise_for_status()
    session.headers["Authorization"] = "token " + answer.json()["token"]
    session.cookies.clear()
    return session


def start(session, url, name):
    """Starts the learner's server, waits until it answers, and returns its address."""
    session.post(f"{url}/hub/api/users/{name}/server", timeout=60).raise_for_status()
    server, until = f"{url}/user/{name}", time.monotonic() + LIMIT
    while True:
        answer = session.get(server + "/api/status", timeout=20, allow_redirects=False)
        if answer.status_code == 200:
            return server
        if time.monotonic() > until:
            raise SystemExit(f"the server of {name} answers {answer.status_code} after {LIMIT} s")
        time.sleep(0.3)


async def run(session, server, code):
    """Runs a cell and returns its output. An error in the cell ends the program."""
    answer = session.post(server + "/api/kernels", json={"name": "gonb"}, timeout=60)
    answer.raise_for_status()
    kernel = answer.json()["id"]
    address = "ws" + server.removeprefix("http") + f"/api/kernels/{kernel}/channels"
    socket = await websocket_connect(
        HTTPRequest(address, headers={"Authorization": session.headers["Authorization"]}, request_timeout=60)
    )
    request = uuid.uuid4().hex
    await socket.write_message(json.dumps({
        "channel": "shell", "buffers": [], "metadata": {}, "parent_header": {},
        "header": {"msg_id": request, "msg_type": "execute_request", "session": request, "username": "", "version": "5.3"},
        "content": {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                    "allow_stdin": False, "stop_on_error": True},
    }))
    printed, status, idle = [], None, False
    while status is None or not idle:
        text = await asyncio.wait_for(socket.read_message(), LIMIT)
        if text is None:
            raise SystemExit("the kernel's connection was closed")
        message = json.loads(text)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["header"]["msg_type"], message["content"]
        if kind == "stream":
            printed.append(content["text"])
        elif kind == "execute_reply":
            status = content["status"]
        elif kind == "status":
            idle = content["execution_state"] == "idle"
    socket.close()
    if status != "ok":
        raise SystemExit(f"the cell ended with status {status}: {''.join(printed)[-300:]}")
    return "".join(printed)


def main():
    url, name, password = sys.argv[1:]
    if urlsplit(url).hostname != "127.0.0.1":
        raise SystemExit("client.py works only with a hub on this machine's loopback interface")
    code = sys.stdin.read()
    session = log_in(url, name, password)
    try:
        server = start(session, url, name)
        print(asyncio.run(run(session, server, code)), end="")
    finally:
        session.delete(f"{url}/hub/api/users/{name}/server", timeout=60)


if __name__ == "__main__":
    main()
