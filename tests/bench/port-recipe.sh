#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A usual script to show which interface is on which port. For each port it reads files of every interface, and compares
# the resources of the PCI functions. Modelled on the script of vendors' drivers.
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
