import { randomUUID } from 'node:crypto'
import { service } from './service.ts'

/** The current time, that of the database where processes share one, as a service that tests can control. */
export interface Clock {
  now(): Date
  /** Takes the time from another clock from now on: that of the database which this process shares with others. */
  follow?(other: Clock): void
}

/** Unique ids, as a service that tests can predict. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
}

export const clock = service<Clock>('clock')
export const ids = service<Ids>('ids')

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() }
export const randomIds: Ids = { uuid: () => randomUUID() }

/** Creates the clock of a service: that of this machine, until it follows another one. */
export function createClock(): Clock {
  let followed = systemClock
  return { now: () => followed.now(), follow: (other) => void (followed = other) }
}
