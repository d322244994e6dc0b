import { isPlainObject } from '../content/plain-object.ts'
import { type ChangeSet, type Unchanged, unchanged } from './change-set.ts'
import {
  type ChangeRecord,
  type ConfigRecord,
  type Head,
  metadataOf,
  type StoredChange,
} from './collections.ts'
import { isMap } from './config-records.ts'
import type { CommitRequest } from './port.ts'
import type { DraftTransaction } from './transaction.ts'

/** How long a run may pause between two steps: it has ended if its process died without a word. */
const longestPauseMs = 5 * 60_000

/** Returns the time until which a run may go on after a step. */
export const endOfPause = (at: string): string => new Date(Date.parse(at) + longestPauseMs).toISOString()

/** Whether the newest change is of a run that may have further steps. */
export const isOpen = ({ openUntil }: Head, now: Date): boolean =>
  openUntil !== undefined && now.getTime() < Date.parse(openUntil)

/** Plans the end of a run; nothing, if others have changed the draft since its newest step. */
export function planEndOfRun({ state: { head } }: DraftTransaction, run: string): ChangeSet | Unchanged {
  return head.run === run && head.openUntil !== undefined ? { isUnchanged: true, endsRun: true } : unchanged
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
  { rebased = 0 }: Head,
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
