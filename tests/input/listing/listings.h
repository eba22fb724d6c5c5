// SPDX-License-Identifier: MIT
// Listings written by hand in the forms of the tools, with blanks for their tabs, after code of ptxas for sm_80.
#pragma once

#include <string>

namespace gpusim::test {

/// As cuobjdump -sass prints it: a thread sums up the column of a matrix.
inline const std::string kCuobjdump = R"sass(
Fatbin elf code:
================
arch = sm_80
code version = [1,7]
host = linux
compile_size = 64bit

        code for sm_80
                Function : sums
        .headerflags    @"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80"
        /*0000*/            MOV R1, c[0x0][0x28] ;                              /* 0x00000a0000017a02 */
                                                                                /* 0x000fe40000000f00 */
        /*0010*/            S2R R2, SR_CTAID.X ;                                /* 0x0000000000027919 */
                                                                                /* 0x000e280000002500 */
        /*0020*/            S2R R3, SR_TID.X ;                                  /* 0x0000000000037919 */
                                                                                /* 0x000e240000002100 */
        /*0030*/            IMAD R2, R2, c[0x0][0x0], R3 ;                      /* 0x0000000002027a24 */
                                                                                /* 0x001fca00078e0203 */
        /*0040*/            ISETP.GE.AND P0, PT, R2, c[0x0][0x170], PT ;        /* 0x00005c0002007a0c */
                                                                                /* 0x000fda0003f06270 */
        /*0050*/        @P0 EXIT ;                                              /* 0x000000000000094d */
                                                                                /* 0x000fea0003800000 */
        /*0060*/            ULDC.64 UR4, c[0x0][0x118] ;                        /* 0x0000460000047ab9 */
                                                                                /* 0x000fd20000000a00 */
        /*0070*/            MOV R7, RZ ;                                        /* 0x000000ff00077202 */
                                                                                /* 0x000fe20000000f00 */
        /*0080*/            IMAD.MOV.U32 R0, RZ, RZ, RZ ;                       /* 0x000000ffff007224 */
                                                                                /* 0x000fe400078e00ff */
        /*0090*/            MOV R9, 0x4 ;                                       /* 0x0000000400097802 */
                                                                                /* 0x000fe20000000f00 */
        /*00a0*/            IMAD.WIDE R4, R2, R9, c[0x0][0x168] ;               /* 0x00005a0002047625 */
                                                                                /* 0x000fe400078e0209 */
        /*00b0*/            IMAD.WIDE R2, R2, R9, c[0x0][0x160] ;               /* 0x0000580002027625 */
                                                                                /* 0x000fca00078e0209 */
        /*00c0*/            LDG.E R6, [R2.64] ;                                 /* 0x0000000402067981 */
                                                                                /* 0x0000a2000c1e1900 */
        /*00d0*/            IADD3 R0, R0, 0x1, RZ ;                             /* 0x0000000100007810 */
                                                                                /* 0x000fc80007ffe0ff */
        /*00e0*/            ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT ;        /* 0x00005c0000007a0c */
                                                                                /* 0x000fe20003f06270 */
        /*00f0*/            IMAD.WIDE R2, R9, c[0x0][0x170], R2 ;               /* 0x00005c0009027a25 */
                                                                                /* 0x001fc800078e0202 */
        /*0100*/            FADD R7, R6, R7 ;                                   /* 0x0000000706077221 */
                                                                                /* 0x004fd00000000000 */
        /*0110*/       @!P0 BRA 0xc0 ;                                          /* 0xffffffa000008947 */
                                                                                /* 0x000fea000383ffff */
        /*0120*/            STG.E [R4.64], R7 ;                                 /* 0x0000000704007986 */
                                                                                /* 0x000fe2000c101904 */
        /*0130*/            EXIT ;                                              /* 0x000000000000794d */
                                                                                /* 0x000fea0003800000 */
        /*0140*/            BRA 0x140 ;                                         /* 0xfffffff000007947 */
                                                                                /* 0x000fc0000383ffff */
        /*0150*/            NOP ;                                               /* 0x0000000000007918 */
                                                                                /* 0x000fc00000000000 */
                ..........
)sass";

/// As nvdisasm -hex prints it, shorter.
inline const std::string kNvdisasm = R"sass(        .headerflags        @"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80"
        .elftype        @"ET_EXEC"

//--------------------- .text.spin              --------------------------
        .section        .text.spin,"ax",@progbits
        .sectioninfo        @"SHI_REGISTERS=12"
        .align        128
        .global         spin
        .type           spin,@function
        .size           spin,(.L_x_1 - spin)
        .other          spin,@"STO_CUDA_ENTRY STV_DEFAULT"
spin:
.text.spin:
        /*0000*/                   S2R R0, SR_TID.X ;           /* 0x0000000000007919 */
                                                                /* 0x000e280000002100 */
.L_x_0:
        /*0010*/                   FADD R6, R6, R0 ;            /* 0x0000000006067221 */
                                                                /* 0x001fe20000000000 */
        /*0020*/              @!P2 BRA `(.L_x_0) ;              /* 0xffffffe00000a947 */
                                                                /* 0x000fea000383ffff */
        /*0030*/                   EXIT ;                       /* 0x000000000000794d */
                                                                /* 0x000fea0003800000 */
.L_x_1:
)sass";

}  // namespace gpusim::test
