// SPDX-License-Identifier: GPL-2.0
/*
 * The attributes that drivers of real HCAs add to /sys/class/infiniband/<hca>: hw_rev, hca_type, board_id.
 * Serves ib_device_ops.device_group.
 */
#include "softhca.h"

static ssize_t hw_rev_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%x\n", rdma_device_to_drv_device(device, struct sh_dev, ib)->attr.hw_ver);
}
static DEVICE_ATTR_RO(hw_rev);

static ssize_t hca_type_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "MT%d\n",
			  rdma_device_to_drv_device(device, struct sh_dev, ib)->attr.vendor_part_id);
}
static DEVICE_ATTR_RO(hca_type);

static ssize_t board_id_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "SOFTHCA0001\n");
}
static DEVICE_ATTR_RO(board_id);

static struct attribute *attrs[] = {
	&dev_attr_hw_rev.attr,
	&dev_attr_hca_type.attr,
	&dev_attr_board_id.attr,
	NULL,
};

const struct attribute_group sh_attrs = { .attrs = attrs };
