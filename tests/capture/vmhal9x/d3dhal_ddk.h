/* Stands in for the header of vmhal9x: see ddrawi_ddk.h. */
