// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration space of each HCA's PCI function: identity, PCI Express and SR-IOV capabilities.
 * Serves the pci_ops of the root bus in pci.c.
 */
#include "softhca.h"

static uint vendor[SH_MAX_HCA] = { 0x15b3 };
static int nvendor = 1;
module_param_array(vendor, uint, &nvendor, 0444);
MODULE_PARM_DESC(vendor, "PCI vendor");

static uint devid[SH_MAX_HCA] = { 0x634a };
static int ndevid = 1;
module_param_array(devid, uint, &ndevid, 0444);
MODULE_PARM_DESC(devid, "PCI device");

static uint rev[SH_MAX_HCA] = { 0xa0 };
static int nrev = 1;
module_param_array(rev, uint, &nrev, 0444);
MODULE_PARM_DESC(rev, "PCI revision, also hw_rev of the ib_device");

static uint pci_class = 0x0c0600;
module_param(pci_class, uint, 0444);
MODULE_PARM_DESC(pci_class, "PCI class (0x0c0600: InfiniBand, 0x020700: InfiniBand network controller)");

static uint total_vfs;
module_param(total_vfs, uint, 0444);
MODULE_PARM_DESC(total_vfs, "SR-IOV: virtual functions of each HCA, 0 to 8");

#define CFG 4096
/* offsets of the PCI Express and the SR-IOV capability */
#define PCIE 0x40
#define IOV 0x100
/* HCA i is function i.0, its virtual functions are (SH_MAX_HCA + i).0 to 7 */
#define VF_OFF (8 * SH_MAX_HCA)

static u8 cfg[SH_MAX_HCA][CFG];
static u8 vfcfg[CFG];

static void put16(u8 *c, int where, u16 v)
{
	*(__le16 *)(c + where) = cpu_to_le16(v);
}

/* The part that physical and virtual functions share. */
static void common(u8 *c)
{
	memset(c, 0, CFG);
	c[PCI_CLASS_PROG] = pci_class;
	put16(c, PCI_CLASS_DEVICE, pci_class >> 8);
	put16(c, PCI_STATUS, PCI_STATUS_CAP_LIST);
	c[PCI_CAPABILITY_LIST] = PCIE;
	c[PCIE] = PCI_CAP_ID_EXP;
	put16(c, PCIE + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_RC_END << 4);
}

int sh_pcicfg_init(void)
{
	int i;

	if (total_vfs > 8) {
		pr_err("softhca: total_vfs %u: at most 8\n", total_vfs);
		return -EINVAL;
	}
	common(vfcfg);
	put16(vfcfg, PCI_VENDOR_ID, 0xffff);
	put16(vfcfg, PCI_DEVICE_ID, 0xffff);
	for (i = 0; i < sh_hca_count(); i++) {
		u8 *c = cfg[i];

		common(c);
		put16(c, PCI_VENDOR_ID, SH_KNOB(vendor, i));
		put16(c, PCI_DEVICE_ID, SH_KNOB(devid, i));
		c[PCI_REVISION_ID] = SH_KNOB(rev, i);
		put16(c, PCI_SUBSYSTEM_VENDOR_ID, SH_KNOB(vendor, i));
		put16(c, PCI_SUBSYSTEM_ID, 0x0001);
		if (!total_vfs)
			continue;
		put16(c, IOV, PCI_EXT_CAP_ID_SRIOV);
		put16(c, IOV + 2, 1); /* version 1, last */
		put16(c, IOV + PCI_SRIOV_INITIAL_VF, total_vfs);
		put16(c, IOV + PCI_SRIOV_TOTAL_VF, total_vfs);
		put16(c, IOV + PCI_SRIOV_VF_OFFSET, VF_OFF);
		put16(c, IOV + PCI_SRIOV_VF_STRIDE, 1);
		put16(c, IOV + PCI_SRIOV_VF_DID, SH_KNOB(devid, i) + 1);
		put16(c, IOV + PCI_SRIOV_SUP_PGSIZE, 0x553);
		put16(c, IOV + PCI_SRIOV_SYS_PGSIZE, 1);
	}
	return 0;
}

struct pci_device_id sh_pci_id(int i)
{
	return (struct pci_device_id){ PCI_DEVICE(SH_KNOB(vendor, i), SH_KNOB(devid, i)) };
}

struct pci_device_id sh_pci_vf_id(int i)
{
	return (struct pci_device_id){ PCI_DEVICE(SH_KNOB(vendor, i), SH_KNOB(devid, i) + 1) };
}

/* Returns the HCA of the virtual function at this address. */
int sh_pci_vf_owner(const struct pci_dev *pdev)
{
	return (int)PCI_SLOT(pdev->devfn) - VF_OFF / 8;
}

void sh_pci_identity(int i, u32 *part, u32 *hw_rev)
{
	*part = SH_KNOB(devid, i);
	*hw_rev = SH_KNOB(rev, i);
}

static u8 *cfg_of(struct pci_bus *bus, unsigned int devfn)
{
	int pf = (int)PCI_SLOT(devfn) - VF_OFF / 8;

	if (!pci_is_root_bus(bus))
		return NULL;
	if (pf >= 0 && pf < sh_hca_count() && PCI_FUNC(devfn) < cfg[pf][IOV + PCI_SRIOV_NUM_VF] &&
	    (cfg[pf][IOV + PCI_SRIOV_CTRL] & PCI_SRIOV_CTRL_VFE))
		return vfcfg;
	if (PCI_FUNC(devfn) || PCI_SLOT(devfn) >= sh_hca_count())
		return NULL;
	return cfg[PCI_SLOT(devfn)];
}

static int cfg_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *val)
{
	u8 *c = cfg_of(bus, devfn);

	*val = 0xffffffff >> (32 - 8 * size);
	if (!c)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where < 0 || where + size > (total_vfs ? CFG : 256))
		return PCIBIOS_SUCCESSFUL;
	*val = 0;
	memcpy(val, c + where, size);
	return PCIBIOS_SUCCESSFUL;
}

/* Only the command register, cache line size, interrupt line and SR-IOV control can be written. */
static int cfg_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 val)
{
	u8 *c = cfg_of(bus, devfn);

	if (!c)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where == PCI_COMMAND && size >= 2)
		put16(c, where, val & 0x0547);
	else if (where == PCI_CACHE_LINE_SIZE || where == PCI_INTERRUPT_LINE)
		c[where] = val;
	else if (total_vfs && size == 2 && (where == IOV + PCI_SRIOV_CTRL || where == IOV + PCI_SRIOV_NUM_VF))
		put16(c, where, val);
	return PCIBIOS_SUCCESSFUL;
}

struct pci_ops sh_pcicfg_ops = { .read = cfg_read, .write = cfg_write };
