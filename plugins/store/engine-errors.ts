import { BootError, errorCode, type Refusal } from '../../kernel/index.ts'
import { storeUnavailable } from './refusals.ts'

/** How to replace a damaged file. */
export const remedy = 'run `npx content-orchestrator restore BACKUP` with the newest backup'
const elsewhere = 'or name another file in ORCHESTRATOR_DB_FILE'
const rights = `it cannot be written. Give the service the right to write it and its folder, ${elsewhere}.`
const noPlace = `there can be no file at this place. Check the folder, ${elsewhere}.`
const noSpace = `the disk is full. Free some space, ${elsewhere}.`
const held =
  'Another process holds the store for too long; repeat the request, and stop that process if this goes on.'

/** What to do about a damaged file while the service runs. */
export const damaged = `The file of the store is damaged; stop the service and ${remedy}.`

const [busy, damagedFile, noDatabase] = [5, 11, 26]

interface Problem {
  /** For the refusal of a request. */
  readonly running?: string
  /** For a failed start; follows the name of the file. */
  readonly opening?: string
}

/** The SQLite result codes and system errors for a problem of the machine, not of a statement. */
const problems = new Map<unknown, Problem>([
  [busy, { running: held, opening: 'another process holds it. Stop that process.' }],
  [6, { running: held }], // SQLITE_LOCKED
  [15, { running: held }], // SQLITE_PROTOCOL
  [
    7, // SQLITE_NOMEM
    { running: 'There is not enough memory for the store; give the service more, then repeat the request.' },
  ],
  [
    8, // SQLITE_READONLY
    {
      running:
        'The file of the store cannot be written; give the service the right to do so, then repeat the request.',
      opening: rights,
    },
  ],
  [
    10, // SQLITE_IOERR
    {
      running:
        'The disk of the store fails or is full; check it, then repeat the request. Earlier changes are kept.',
      opening: `the disk fails. Check it, ${elsewhere}.`,
    },
  ],
  [damagedFile, { running: damaged, opening: `it is damaged. To restore it, ${remedy}.` }],
  [
    13, // SQLITE_FULL
    {
      running:
        'The disk of the store is full; free some space, then repeat the request. Earlier changes are kept.',
      opening: noSpace,
    },
  ],
  [
    14, // SQLITE_CANTOPEN
    {
      running: 'The file of the store cannot be opened; check its folder, then repeat the request.',
      opening: noPlace,
    },
  ],
  [
    noDatabase,
    { running: damaged, opening: `it is not a database. To restore it, ${remedy}, ${elsewhere}.` },
  ],
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, { opening: rights }] as const),
  ...['ENOTDIR', 'EEXIST', 'ENAMETOOLONG'].map((code) => [code, { opening: noPlace }] as const),
  ['ENOSPC', { opening: noSpace }],
])

/** Returns the primary result code of an SQLite error, or of its cause. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return resultCode(error.cause)
}

/** Whether another connection holds the requested lock. */
export const isBusy = (error: unknown): boolean => resultCode(error) === busy

/** Whether a file is not a database. */
export const isNoDatabase = (error: unknown): boolean => resultCode(error) === noDatabase

/** Whether a statement found the file damaged. */
export const isDamage = (error: unknown): boolean => isNoDatabase(error) || resultCode(error) === damagedFile

/** Turns an error of the machine into a refusal; `undefined` for an error in a statement. */
export function toRefusal(error: unknown): Refusal | undefined {
  const sentence =
    errorCode(error) === 'ERR_INVALID_STATE'
      ? 'The store is closed because the service stops; repeat the request when it runs again.'
      : problems.get(resultCode(error))?.running
  return sentence === undefined ? undefined : storeUnavailable(sentence, error)
}

/** Returns the reason why a file cannot be opened, with the remedy. */
export function unusable(file: string, error: unknown): BootError {
  if (error instanceof BootError) return error
  const code = resultCode(error) ?? errorCode(error)
  const obstacle =
    problems.get(code)?.opening ?? `opening it failed with ${String(code)}. Check the file, ${elsewhere}.`
  return new BootError([`The store's file ${file} cannot be used: ${obstacle}`], { cause: error })
}
