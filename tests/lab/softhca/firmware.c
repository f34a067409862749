// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to the firmware. A real HCA answers query_port and query_pkey by a command to its firmware, and
 * the caller waits. Here the wait is a knob, and the requests of processes are counted. Kernel threads do not
 * wait or count. Serves the module parameters firmware_us, firmware_requests and firmware_requests_nm.
 */
#include "softhca.h"
#include <linux/delay.h>
#include <linux/sched.h>

static uint firmware_us;
module_param(firmware_us, uint, 0644);
MODULE_PARM_DESC(firmware_us, "microseconds that a firmware request of a process takes");

static atomic_t requests, requests_nm;

static int counter_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read((atomic_t *)kp->arg));
}

static const struct kernel_param_ops counter_ops = { .get = counter_get };
module_param_cb(firmware_requests, &counter_ops, &requests, 0444);
MODULE_PARM_DESC(firmware_requests, "firmware requests of processes since the load");
module_param_cb(firmware_requests_nm, &counter_ops, &requests_nm, 0444);
MODULE_PARM_DESC(firmware_requests_nm, "of these, requests of processes with the name NetworkManager");

void sh_firmware_request(void)
{
	uint us = READ_ONCE(firmware_us);

	if (current->flags & PF_KTHREAD)
		return;
	atomic_inc(&requests);
	if (!strcmp(current->group_leader->comm,
		    "NetworkManager")) /* also for its threads, whose names differ */
		atomic_inc(&requests_nm);
	if (us)
		usleep_range(us, us);
}
