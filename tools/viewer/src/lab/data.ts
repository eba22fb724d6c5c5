// SPDX-License-Identifier: MIT
// What the server says, read into types: what is missing becomes a default.
import { arr, num, obj, str, strs } from '../data/read';

export interface LabFacts {
  name: string;
  title: string;
  summary: string;
  minutes: number;
  points: number;
  begun: boolean;
  needs: string[];
}

export interface WorkFile {
  name: string;
  text: string;
  /** Version of the text, for the server. */
  version: string;
  /** Why it cannot be edited. */
  problem: string;
  /** A check judges it; others are for experiments. */
  judged: boolean;
}

/** What is simulated, as options of the command line have it. */
export interface RunRequest {
  trace: string;
  arch: string;
  params: string[];
  set: string[];
  cache: string;
  begin: number;
  end: number;
}

export interface LabRun extends RunRequest {
  name: string;
}

export interface LabState {
  begun: boolean;
  files: WorkFile[];
  traces: string[];
  archs: string[];
  runs: LabRun[];
}

export interface Verdict {
  key: string;
  standing: string;
  note: string;
  hint: string;
}

export interface CheckReport {
  passed: boolean;
  points: number;
  ofPoints: number;
  tasks: Verdict[];
  problems: string[];
  /** Which files were judged in place of others. */
  notes: string[];
}

export const kCaches = ['warm', 'cold', 'flush-between', 'dirty'];
/** Cycles of the timeline unless a command says others. */
export const kCycles = 4000;

export function readFacts(value: unknown): LabFacts {
  const raw = obj(value);
  return {
    name: str(raw.name),
    title: str(raw.title),
    summary: str(raw.summary),
    minutes: num(raw.minutes),
    points: num(raw.points),
    begun: raw.begun === true,
    needs: strs(raw.needs),
  };
}

function readRun(value: unknown): LabRun {
  const raw = obj(value);
  return {
    name: str(raw.name),
    trace: str(raw.trace),
    arch: str(raw.arch),
    params: strs(raw.params),
    set: strs(raw.set),
    cache: str(raw.cache),
    begin: 0,
    end: kCycles,
  };
}

export function readState(value: unknown): LabState {
  const raw = obj(value);
  return {
    begun: raw.begun === true,
    files: arr(raw.files)
      .map(obj)
      .map((file) => ({
        name: str(file.name),
        text: str(file.text),
        version: str(file.version),
        problem: str(file.problem),
        judged: file.judged === true,
      })),
    traces: strs(raw.traces),
    archs: strs(raw.archs),
    runs: arr(raw.runs).map(readRun),
  };
}

export function readReport(value: unknown): CheckReport {
  const raw = obj(value);
  return {
    passed: raw.passed === true,
    points: num(raw.points),
    ofPoints: num(raw.of_points),
    problems: strs(raw.problems),
    notes: strs(raw.notes),
    tasks: arr(raw.tasks)
      .map(obj)
      .map((task) => ({
        key: str(task.key),
        standing: str(task.standing),
        note: str(task.note),
        hint: str(task.hint),
      })),
  };
}
