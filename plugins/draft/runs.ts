import { isPlainObject } from '../content/plain-object.ts'
import type { Transaction } from '../store/port.ts'
import type { ChangeSet } from './change-set.ts'
import {
  type ChangeRecord,
  changes,
  type ConfigRecord,
  metadataOf,
  type StoredChange,
  toDocument,
} from './collections.ts'
import { isMap } from './config-records.ts'
import type { CommitRequest } from './port.ts'

/** How long a run may pause between two steps: it has ended if its process died without a word. */
const longestPauseMs = 5 * 60_000

/** Returns the time until which a run may go on after a step. */
export const endOfPause = (at: string): string => new Date(Date.parse(at) + longestPauseMs).toISOString()

/** Whether the newest change is of a run that may have further steps. */
export function isOpen(newest: StoredChange | undefined, now: Date): boolean {
  const openUntil = newest && metadataOf(newest).openUntil
  return openUntil !== undefined && now.getTime() < Date.parse(openUntil)
}

/** Ends a run, unless others have changed the draft since its newest step. */
export async function endRun(tx: Transaction, scope: string, run: string): Promise<void> {
  const records = tx.of(changes)
  const [newest] = await records.list(scope, { descending: true, limit: 1 })
  if (newest?.body.run !== run) return
  const { openUntil: _ended, ...metadata } = metadataOf(newest)
  const { key, body, bytes } = newest
  await records.put(scope, key, toDocument({ body, metadata }, bytes))
}

/** How long a person may pause between two changes of one setting that are one line of the history. */
const longestTypingMs = 10_000

/**
 * Returns the run of a change of one setting: editors that have no Save button send one per key stroke.
 * Consecutive ones of a person, in one browser, are steps of a run; `undefined` for other changes, and for
 * those of agents. What draft and site have agreed on in between, such as a publish, begins another run.
 */
export function typedRun(
  { log }: ChangeSet,
  { pages, config }: Pick<ChangeRecord, 'pages' | 'config'>,
  { actor, channel }: Pick<CommitRequest, 'actor' | 'channel'>,
  rebased: number,
): string | undefined {
  const [setting, ...others] = new Set(config.flatMap(settingsOf))
  const isTyped = log.source === 'direct' && (actor.kind === 'person' || actor.kind === 'program')
  if (!isTyped || pages.length > 0 || setting === undefined || others.length > 0) return undefined
  const { kind, id, client, browser } = actor
  return JSON.stringify(['setting', setting, kind, id, client, browser?.id, channel, rebased])
}

/** Whether a change follows another one of its run closely enough to be typed. */
export const isTypedOn = (earlier: StoredChange, now: Date): boolean =>
  now.getTime() - Date.parse(metadataOf(earlier).at) <= longestTypingMs

/** Returns the settings that a record changes, each as a text; the members of a map are settings. */
function settingsOf({ key, member, before, after }: ConfigRecord): readonly string[] {
  if (member !== undefined || !isMap(key)) return [JSON.stringify([key, member])]
  const members = [before, after].flatMap((side) => (isPlainObject(side) ? Object.keys(side) : []))
  return members.map((each) => JSON.stringify([key, each]))
}
