// SPDX-License-Identifier: MIT
// Registers in the text of an instruction: which it writes and reads, as far as the text tells.

interface Parts {
  guard: string | null;
  opcode: string;
  operands: string[];
}

export function partsOf(text: string): Parts {
  const match = /^\s*(@!?U?P\d|@!?PT)?\s*(\S+)\s*(.*)$/s.exec(text.slice(0, 400));
  if (match === null) {
    return { guard: null, opcode: '', operands: [] };
  }
  const operands = match[3]
    .replace(/[;{].*$/s, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return { guard: match[1]?.replace(/[@!]/g, '') ?? null, opcode: match[2], operands };
}

const kNoResult = /^(ST|RED|BAR|BRA|EXIT|DEPBAR|LDGSTS|LDGDEPBAR|BSYNC|BSSY|MEMBAR|NOP|WARPSYNC|UTMA|CCTL|RET|ERRBAR)/;
const kRegister = /^-?\|?~?!?(UR|UP|R|P)(\d+)/;

/** 32-bit registers of one operand of memory's width or of a matrix. */
function width(opcode: string, place: number): number {
  if (/^(HMMA|IMMA|BMMA)/.test(opcode)) {
    const wide = opcode.includes('16816') || opcode.includes('16832') || opcode.includes('.F32');
    return [opcode.includes('.F32') || opcode.startsWith('I') ? 4 : 2, wide ? 4 : 2, 2, 4][place] ?? 1;
  }
  if (/^LDSM/.test(opcode)) {
    return place === 0 ? Number(/\.([124])(\.|$)/.exec(opcode)?.[1] ?? 1) : 1;
  }
  if (/^(LD|ST|ATOM|RED)/.test(opcode)) {
    return opcode.includes('.128') ? 4 : opcode.includes('.64') ? 2 : 1;
  }
  if (/^D(ADD|MUL|FMA|SETP)/.test(opcode)) {
    return 2;
  }
  return place === 0 && (opcode.includes('.WIDE') || opcode.startsWith('CS2R')) ? 2 : 1;
}

function expand(operand: string, count: number): string[] {
  const match = kRegister.exec(operand);
  if (match === null) {
    return [];
  }
  const [, bank, first] = match;
  const wide = bank === 'P' || bank === 'UP' ? 1 : operand.includes('.64') ? 2 : count;
  return Array.from({ length: wide }, (_, i) => `${bank}${Number(first) + i}`);
}

function addressOf(operand: string): string[] {
  return [...operand.matchAll(/(UR|R)(\d+)(\.64|\.U?X?\d*)?/g)].flatMap(([, bank, first, suffix]) =>
    Array.from({ length: suffix === '.64' ? 2 : 1 }, (_, i) => `${bank}${Number(first) + i}`),
  );
}

export function written(text: string): string[] {
  const { opcode, operands } = partsOf(text);
  if (kNoResult.test(opcode) || operands.length === 0) {
    return [];
  }
  const results = expand(operands[0], width(opcode, 0));
  const second = /^(ISETP|FSETP|DSETP|HSETP|PLOP|UISETP)/.test(opcode) ? expand(operands[1] ?? '', 1) : [];
  return [...results, ...second];
}

export function read(text: string): string[] {
  const { guard, opcode, operands } = partsOf(text);
  const results = kNoResult.test(opcode) ? 0 : 1;
  const sources = operands
    .slice(results)
    .flatMap((operand, i) =>
      operand.includes('[') ? addressOf(operand) : expand(operand, width(opcode, i + results)),
    );
  return [...(guard !== null && guard !== 'PT' ? [guard] : []), ...sources];
}

/** The registers through which a consumer depends on a producer. */
export function linking(producer: string, consumer: string): string[] {
  const results = new Set(written(producer));
  const needed = read(consumer).filter((register) => results.has(register));
  const again = written(consumer).filter((register) => results.has(register));
  return [...new Set(needed.length > 0 ? needed : again)];
}

/** R4, R5, R6, R7, R9 as "R4-R7, R9". */
export function ranges(registers: string[]): string {
  const parts: { bank: string; from: number; to: number }[] = [];
  for (const register of registers) {
    const match = /^(\D+)(\d+)$/.exec(register);
    const last = parts[parts.length - 1];
    const number = Number(match?.[2]);
    if (match === null) {
      continue;
    }
    if (last !== undefined && last.bank === match[1] && last.to + 1 === number) {
      last.to = number;
    } else {
      parts.push({ bank: match[1], from: number, to: number });
    }
  }
  return parts.map(({ bank, from, to }) => (from === to ? `${bank}${from}` : `${bank}${from}-${bank}${to}`)).join(', ');
}
