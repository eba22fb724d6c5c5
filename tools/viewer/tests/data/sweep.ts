// SPDX-License-Identifier: MIT
// A sweep for tests, as the program writes it.
import type { Json } from './page';

function sweepTables(): Json[] {
  const remark = 'saxpy on h100';
  const others = 'One key at a time, the others as in sm.count=99, l2.size=50 MiB.';
  const knee = 'Knee at 132: beyond it each per cent more sm.count gives less than 0.5 % more speed (at most 0.31 %).';
  return [
    {
      title: 'Best points',
      remark: 'saxpy',
      align: 'rrrrrl',
      columns: ['#', 'sm.count', 'l2.size', 'time_us', 'relative', 'bound'],
      rows: [
        ['1', '160', '100 MiB', '62.5', '1.000', 'dram'],
        ['2', '160', '50 MiB', '68.8', '1.101', 'dram'],
        ['2', '160', '60 MiB', '68.8', '1.101', 'dram'],
      ],
    },
    {
      title: 'What buys most',
      remark,
      before: [others],
      align: 'lrrrrr',
      columns: ['key', 'varied', 'points', '1 % more: time_us', 'fit error', 'worst / best'],
      rows: [
        ['sm.count', '33 .. 160', '5', '-1.000 % +- 0.010', '0.1 %', '4.850'],
        ['l2.size', '25 MiB .. 100 MiB', '3', '-0.243 % +- 0.062', '3.9 %', '1.400'],
      ],
    },
    {
      title: 'Scaling with sm.count',
      remark: `${remark}; l2.size=50 MiB`,
      align: 'rrrrl',
      columns: ['sm.count', 'time_us', 'speed-up', 'efficiency', 'bound'],
      rows: [33, 66, 99].map((sms) => [String(sms), String(11_000 / sms), (sms / 33).toFixed(3), '100 %', 'dram']),
      after: [knee],
      curve: true,
    },
    {
      title: 'Scaling with l2.size',
      remark: `${remark}; sm.count=99`,
      align: 'rrrrl',
      columns: ['l2.size', 'time_us', 'speed-up', 'efficiency', 'bound'],
      rows: [
        ['25 MiB', '141', '1.000', '100 %', 'dram'],
        ['50 MiB', '111', '1.273', '64 %', 'dram'],
      ],
      curve: true,
      folded: true,
    },
  ];
}

export function sweepPage(): Json {
  const rows: (number | string)[][] = [];
  for (const l2 of ['25 MiB', '50 MiB', '100 MiB']) {
    for (const sms of [33, 66, 99, 132, 160]) {
      const factor = l2 === '25 MiB' ? 1.4 : l2 === '50 MiB' ? 1.1 : 1;
      rows.push([sms, l2, Math.round((1e5 * factor) / sms) / 10, Math.round((600 * sms) / factor) / 10]);
    }
  }
  return {
    schema: 'gpusim.page/1',
    kind: 'sweep',
    version: '0.3.0',
    sweep: {
      title: 'SMs and L2 of an H100',
      columns: ['sm.count', 'l2.size', 'time_us', 'tflops'],
      rows,
      axes: ['sm.count', 'l2.size'],
      metrics: ['time_us', 'tflops'],
      note: '15 points: 15 done. Judged by time_us: less is better.',
      warnings: ['2 points have no time_us above zero and are left out.'],
      middles: [7],
      tables: sweepTables(),
    },
  };
}
