import type * as v from 'valibot'
import { service } from '../../kernel/index.ts'

/** A kind of event, with the schema of what it carries. */
export interface EventRef<out T> {
  readonly id: string
  readonly schema: v.GenericSchema<unknown, T>
}

export function defineEvent<T>(id: string, schema: v.GenericSchema<unknown, T>): EventRef<T> {
  return { id, schema }
}

/** Typed events between plugins, and between replicas where the driver can. */
export interface Bus {
  /** Hands an event to every listener; a listener that fails is logged and hinders no other. */
  publish<T>(event: EventRef<T>, payload: NoInfer<T>): Promise<void>
  subscribe<T>(event: EventRef<T>, listener: (payload: T) => void, options: { readonly signal: AbortSignal }): void
  /** `ok`, or a sentence that says why events do not travel now. */
  health(): Promise<string>
}

export const bus = service<Bus>('bus')
