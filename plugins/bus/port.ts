import { service } from '../../kernel/index.ts'
import type { Transaction } from '../store/port.ts'
import type { EventRef } from './event.ts'

export { defineEvent, type EventRef } from './event.ts'

export interface Listening {
  readonly signal: AbortSignal
  /** Only events that this process has published, for what is counted once for all processes. */
  readonly own?: boolean
}

/** An event that is part of a transaction. */
export interface PreparedEvent {
  /** Settles once the event is written for other processes; await it inside the transaction. */
  readonly written?: Promise<unknown>
  /** Passes the event on; call it once the transaction is durable. */
  publish(): Promise<void>
}

/** Typed events between plugins, and between replicas if the driver supports it. */
export interface Bus {
  /** Passes an event to every listener; a failing listener is logged and does not affect others. */
  publish<T>(event: EventRef<T>, payload: NoInfer<T>): Promise<void>
  /** Writes an event for other processes with what a transaction writes, instead of in one of its own. */
  prepare<T>(tx: Transaction, event: EventRef<T>, payload: NoInfer<T>): PreparedEvent
  subscribe<T>(event: EventRef<T>, listener: (payload: T) => void, options: Listening): void
  /** `ok`, or a sentence with the reason why events are not delivered now. */
  health(): Promise<string>
}

export const bus = service<Bus>('bus')
