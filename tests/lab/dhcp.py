#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""dhcp.py LINK SERVER ADDRESS [MTU]: a DHCP server with one address, for tests. Prints type and client-id of each message.

Over IPoIB (RFC 4390) a message has hardware type 32 and no hardware address. So only the client-id identifies a client, and
every reply is a broadcast.
"""

import socket
import struct
import sys

MASK, MTU, TIME, KIND, SERVER, CLIENT, END = 1, 26, 51, 53, 54, 61, 255
DISCOVER, OFFER, REQUEST, ACK = 1, 2, 3, 5
NAMES = {DISCOVER: "DISCOVER", REQUEST: "REQUEST"}
COOKIE = bytes([99, 130, 83, 99])
FIXED = 236  # bytes before the cookie


def options(message):
    """Returns {code: value} of a message; {} if it is not a DHCP message."""
    found, at = {}, FIXED + len(COOKIE)
    if message[FIXED:at] != COOKIE:
        return found
    while at < len(message) and message[at] != END:
        if message[at] == 0:
            at += 1
            continue
        size = message[at + 1]
        found[message[at]] = message[at + 2:at + 2 + size]
        at += 2 + size
    return found


def answer(message, asked, server, address, mtu):
    """Returns the OFFER or ACK for a message, as bytes."""
    head = bytearray(FIXED)
    head[0:4] = (2, message[1], 0, 0)
    head[4:8] = message[4:8]  # transaction
    head[10:12] = message[10:12]  # flags
    head[16:20] = socket.inet_aton(address)
    kind = OFFER if asked[KIND][0] == DISCOVER else ACK
    told = {KIND: bytes([kind]), SERVER: socket.inet_aton(server), TIME: struct.pack("!I", 3600), MASK: bytes([255, 255, 255, 0])}
    if mtu:
        told[MTU] = struct.pack("!H", mtu)
    if CLIENT in asked:
        told[CLIENT] = asked[CLIENT]  # RFC 6842
    return bytes(head) + COOKIE + b"".join(bytes([code, len(value)]) + value for code, value in told.items()) + bytes([END])


def main(link, server, address, mtu="0"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as port:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        port.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, link.encode())
        port.bind(("", 67))
        while True:
            message = port.recv(2048)
            asked = options(message)
            if KIND not in asked or asked[KIND][0] not in NAMES:
                continue
            print(link, NAMES[asked[KIND][0]], asked.get(CLIENT, b"").hex(), flush=True)
            port.sendto(answer(message, asked, server, address, int(mtu)), ("255.255.255.255", 68))


main(*sys.argv[1:])
