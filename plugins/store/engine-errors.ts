import { errorCode, type Refusal } from '../../kernel/index.ts'
import { storeUnavailable } from './refusals.ts'

/** The SQLite result codes for a problem of the machine, not of a statement. */
const codes = {
  busy: 5,
  locked: 6,
  memory: 7,
  readOnly: 8,
  disk: 10,
  damaged: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  noDatabase: 26,
}

const held =
  'Another process holds the store for too long; repeat the request, and stop that process if this goes on.'
const remedy = 'run `npx content-orchestrator restore BACKUP` with the newest backup'
/** What to do about a damaged file while the service runs. */
export const damaged = `The file of the store is damaged; stop the service and ${remedy}.`

const whileRunning = new Map([
  [codes.busy, held],
  [codes.locked, held],
  [codes.protocol, held],
  [codes.memory, 'There is not enough memory for the store; give the service more, then repeat the request.'],
  [
    codes.readOnly,
    'The file of the store cannot be written; give the service the right to do so, then repeat the request.',
  ],
  [
    codes.disk,
    'The disk of the store fails or is full; check it, then repeat the request. Earlier changes are kept.',
  ],
  [codes.damaged, damaged],
  [
    codes.full,
    'The disk of the store is full; free some space, then repeat the request. Earlier changes are kept.',
  ],
  [codes.cannotOpen, 'The file of the store cannot be opened; check its folder, then repeat the request.'],
  [codes.noDatabase, damaged],
])

const elsewhere = 'or name another file in ORCHESTRATOR_DB_FILE'
const rights = `it cannot be written. Give the service the right to write it and its folder, ${elsewhere}.`
const place = `there can be no file at this place. Check the folder, ${elsewhere}.`
const full = `the disk is full. Free some space, ${elsewhere}.`

const whileOpening = new Map<unknown, string>([
  [codes.busy, 'another process holds it. Stop that process.'],
  [codes.readOnly, rights],
  [codes.disk, `the disk fails. Check it, ${elsewhere}.`],
  [codes.damaged, `it is damaged. To restore it, ${remedy}.`],
  [codes.full, full],
  [codes.cannotOpen, place],
  [codes.noDatabase, `it is not a database. To restore it, ${remedy}, ${elsewhere}.`],
  ['EACCES', rights],
  ['EPERM', rights],
  ['EROFS', rights],
  ['ENOSPC', full],
  ['ENOTDIR', place],
  ['EEXIST', place],
  ['ENAMETOOLONG', place],
])

/** Returns the primary result code of an SQLite error, or of its cause. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return resultCode(error.cause)
}

/** Whether another connection holds the requested lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === codes.busy
}

/** Whether a statement found the file damaged. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error)
  return code === codes.damaged || code === codes.noDatabase
}

/** Whether a file is not a database. */
export function isNoDatabase(error: unknown): boolean {
  return resultCode(error) === codes.noDatabase
}

/** Turns an error of the machine into a refusal; `undefined` for an error in a statement. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (errorCode(error) === 'ERR_INVALID_STATE') {
    return storeUnavailable(
      'The store is closed because the service stops; repeat the request when it runs again.',
      error,
    )
  }
  const sentence = whileRunning.get(resultCode(error) ?? 0)
  return sentence === undefined ? undefined : storeUnavailable(sentence, error)
}

/** Returns the reason why a file cannot be opened, with the remedy. */
export function obstacle(error: unknown): string {
  const code = resultCode(error) ?? (error instanceof Error && 'code' in error ? error.code : undefined)
  return whileOpening.get(code) ?? `opening it failed with ${String(code)}. Check the file, ${elsewhere}.`
}
