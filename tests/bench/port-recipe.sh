#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What administrators use to see which interface is on which port: for each port it looks at every interface, file by file,
# and compares the PCI functions by their resources. The shape is that of the script that comes with vendors' drivers.
for device in /sys/class/infiniband/*; do
    own=$(cat "$device/device/resource")
    for port in "$device"/ports/*; do
        for interface in /sys/class/net/*; do
            [ -e "$interface/device/resource" ] || continue
            its=$(cat "$interface/device/resource")
            [ "$own" = "$its" ] || continue
            number=$(cat "$interface/dev_port")
            [ "$(basename "$port")" = $((number + 1)) ] || continue
            if [ "$(cat "$interface/carrier")" = 1 ]; then state=Up; else state=Down; fi
            echo "$(basename "$device") port $(basename "$port") ==> $(basename "$interface") ($state)"
        done
    done
done
