import { randomUUID } from 'node:crypto'
import { service } from './service.ts'

/** Time as a service, so that a test can hold it still. */
export interface Clock {
  now(): Date
}

/** Unique names as a service, so that a test can foresee them. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
}

export const clock = service<Clock>('clock')
export const ids = service<Ids>('ids')

export const systemClock: Clock = { now: () => new Date() }
export const randomIds: Ids = { uuid: () => randomUUID() }
