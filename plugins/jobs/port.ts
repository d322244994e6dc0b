import { service, type Logger } from '../../kernel/index.ts'
import type { Claim, CollectionSpec, ColumnValues, jobColumns, Transaction } from '../store/port.ts'

export { jobColumns } from '../store/port.ts'
export { freed, unclaimed } from './columns.ts'

export type JobColumns = typeof jobColumns

/** A row on which this process alone works, as long as its claim lasts. */
export interface Job<Body> {
  readonly key: string
  readonly body: Body
  /** The name of the claim, and its end if it is not prolonged. */
  readonly claim: string
  readonly until: number
  /** How many earlier attempts ended without a known outcome. */
  readonly interrupted: number
}

/**
 * How a claim ends: the row is removed; or it waits, with these changes; or it waits for the next look, and states that the
 * outcome of this attempt is not known.
 */
export type Outcome<Body> =
  | 'done'
  | 'unknown'
  | {
      readonly body?: Body
      readonly columns?: Partial<ColumnValues<JobColumns>> & Readonly<Record<string, string | number>>
    }

/**
 * Does a job, and settles it. `signal` aborts when the service stops, and when another process may have taken
 * over.
 */
export type Work<Body, R = unknown> = (job: Job<Body>, signal: AbortSignal) => Promise<R>

export interface QueueOptions<Body> extends Pick<Claim, 'scope' | 'where' | 'lane'> {
  /** In metrics and the log. */
  readonly name: string
  /** A collection with `jobColumns` and an index on `due`. */
  readonly rows: CollectionSpec<Body, JobColumns>
  /** The maximum number of jobs at a time in this process. */
  readonly parallel: number
  /** Milliseconds after which others take over a claim that is not prolonged; 30 s by default. */
  readonly leaseMs?: number
  /** Milliseconds between two looks for what other processes have left. */
  readonly pollMs: number
  readonly work: Work<Body>
  readonly log: Logger
}

/** Works on the rows of a scope that are due. The first `wake` starts it. */
export interface Queue<Body> {
  /** Looks for what is due, after a row was added or moved. */
  wake(): void
  /**
   * Claims one row, due or not, whatever else runs; `undefined` if it is claimed or missing. Follow it by
   * `run`.
   */
  claim(tx: Transaction, key: string): Promise<Job<Body> | undefined>
  /** Returns whether a claim lasts. */
  holds(tx: Transaction, job: Job<Body>): Promise<boolean>
  /** Works on a claimed job. If the work throws, the outcome is not known. */
  run<R>(job: Job<Body>, work: Work<Body, R>): Promise<R>
  /**
   * Ends a claim. Returns false, and changes nothing, if it is lost: then the outcome is that of another
   * process.
   */
  settle(tx: Transaction, job: Job<Body>, outcome: Outcome<Body>): Promise<boolean>
  /** Claims nothing more, and resolves when all running jobs have ended. */
  close(): Promise<void>
}

/** Lets work of the same key run one at a time, in all processes of the store. */
export interface Lock {
  /** `signal` aborts when another process may have the turn. */
  run<R>(key: string, work: (signal: AbortSignal) => Promise<R>): Promise<R>
  /** Resolves when all current work has ended. */
  idle(): Promise<void>
}

/** The number of jobs of a queue in all processes, by state. */
export interface JobCounts extends Readonly<Record<'waiting' | 'running' | 'failed', number>> {
  readonly queue: string
}

/** Work that waits: claims, leases, retries and turns over the store. */
export interface Jobs {
  queue<Body>(options: QueueOptions<Body>): Queue<Body>
  /** Creates a lock with keys of its own. */
  lock(name: string): Lock
  counts(): Promise<readonly JobCounts[]>
}

export const jobs = service<Jobs>('jobs')
