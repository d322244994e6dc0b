import { randomUUID } from 'node:crypto'
import { service } from './service.ts'

/** The current time, as a service that tests can control. */
export interface Clock {
  now(): Date
}

/** Unique ids, as a service that tests can predict. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
}

export const clock = service<Clock>('clock')
export const ids = service<Ids>('ids')

export const systemClock: Clock = { now: () => new Date() }
export const randomIds: Ids = { uuid: () => randomUUID() }
