/**
 * Detects whether a log belongs to a file.
 *
 * SQLite replays any valid log next to a database, even the log of another database. So each opening writes a
 * new random generation to the header field for applications (`user_version`), and notes it next to the file.
 * A file that was copied next to a live log has another generation, which is detected before SQLite reads
 * either.
 *
 * A log that is missing would not be noticed either, with all changes in it. So the first commit notes that the log
 * is in use, and a clean stop, which moves the log into the file, removes that.
 */
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { BootError } from '../../kernel/index.ts'
import { versionInHeader, type Connection } from './connection.ts'
import { replaceFile } from './files.ts'

/**
 * The generation of a copy without a log that no service has opened yet. One that another program made has 0.
 */
export const copied = 1

/** In a note: the log holds changes that the file may lack. */
const inUse = 'log'

const noteOf = (file: string): string => `${file}.generation`
/** Returns the name of the file in which a copy is written, until it is complete. */
export const partialOf = (file: string): string => `${file}.partial`
/** Returns the name of the file that a restore prepares. */
export const restoringOf = (file: string): string => `${file}.restoring`

/**
 * Throws a BootError if opening a file would replay the log of another file, or create an empty file instead
 * of a missing one.
 */
export function checkLog(file: string): void {
  if (existsSync(restoringOf(file)) && versionInHeader(file) === undefined) {
    throw new BootError([
      `A restore of the store's file ${file} was interrupted: run \`npx content-orchestrator restore BACKUP\` again. ` +
        `What was there before is kept as ${file}.before-restore-<time>.`,
    ])
  }
  if (existsSync(partialOf(file)) && versionInHeader(file) === undefined) {
    throw new BootError([
      `A copy into the store's file ${file} runs or was interrupted: run \`npx content-orchestrator copy\` again. ` +
        `To begin with an empty store, delete ${partialOf(file)} and start again.`,
    ])
  }
  if (hasLostLog(file))
    throw new BootError([
      `The log ${file}-wal of the store's file ${file} is missing, and with it the changes since the last clean stop: ` +
        'move the log back to its place, or run `npx content-orchestrator restore BACKUP` with the newest backup. ' +
        `Where another program has moved the log into the file, delete ${noteOf(file)} and start again.`,
    ])
  if (belongsToItsLog(file)) return refuseEmpty(file)
  throw new BootError([
    `The log ${file}-wal does not belong to the store's file ${file}, and replaying it would mix two databases: run ` +
      '`npx content-orchestrator restore BACKUP` with the backup that is to be restored; it keeps both. ' +
      `Where the two do belong together, delete ${noteOf(file)} and start again.`,
  ])
}

/** Whether a file was in use with a log that is missing. A copy that was made without one lacks nothing. */
function hasLostLog(file: string): boolean {
  if (existsSync(`${file}-wal`) || !marksIn(noted(file)).includes(inUse)) return false
  const generation = versionInHeader(file)
  return generation !== undefined && generation !== copied
}

/** Notes that the log of an open file holds changes. Others may write it, but not during this transaction. */
export function noteLogInUse(file: string): void {
  const note = noted(file)
  if (!marksIn(note).includes(inUse)) replaceFile(noteOf(file), `${note} ${inUse}`)
}

/** Notes that a file is complete without a log. No other connection may be open. */
export function noteNoLog(file: string): void {
  const note = noted(file)
  if (marksIn(note).includes(inUse)) replaceFile(noteOf(file), toGenerations(note).join(' '))
}

/** Refuses to begin with an empty file where a store was opened before. */
function refuseEmpty(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size || noted(file) === undefined) return
  throw new BootError([
    `The store's file ${file} ${size === 0 ? 'has no content' : 'is missing'}, but ${noteOf(file)} shows that it was in use: run ` +
      '`npx content-orchestrator restore BACKUP` with the newest backup, or move the file back to its place. ' +
      `To begin with an empty store, delete ${noteOf(file)} and start again.`,
  ])
}

/** False if the log next to a file belongs to another file. */
export function belongsToItsLog(file: string): boolean {
  for (let note = noted(file); hasLog(file) && !belongs(versionInHeader(file), note);) {
    const before = note
    note = noted(file)
    // Another process that is opening the file notes a generation before it writes it to the file.
    if (note === before) return false
  }
  return true
}

/** Assigns a new generation to an open file. Others may open, write and checkpoint it concurrently. */
export function beginLogIdentity(writer: Connection, file: string): void {
  const next = randomInt(copied + 1, 2 ** 31)
  locked(writer, (current) => {
    const note = noted(file)
    replaceFile(
      noteOf(file),
      [...new Set([...toGenerations(note), current, next]), ...marksIn(note)].join(' '),
    )
    writer.run(`pragma user_version = ${next}`)
  })
  const [busy, inLog, moved] = writer.get('pragma wal_checkpoint(passive)') ?? []
  if (busy !== 0 || inLog !== moved) return
  locked(writer, (current) => {
    if (current === next) replaceFile(noteOf(file), [next, ...marksIn(noted(file))].join(' '))
  })
}

/**
 * Runs `work` with the generation of the newest commit, while no other connection may write or note anything.
 *
 * The header changes when the log is moved into the file, which any process may do at any time. So the note
 * lists every generation that the header may have, and is durable before the header.
 */
function locked(writer: Connection, work: (current: number) => void): void {
  writer.run('begin immediate')
  try {
    work(Number(writer.get('pragma user_version')?.[0]))
    writer.run('commit')
  } catch (error) {
    writer.run('rollback')
    throw error
  }
}

function belongs(generation: ReturnType<typeof versionInHeader>, note: string | undefined): boolean {
  // A file put in place at once is readable; a file that a crash left half written is repaired from the log.
  if (generation === 'unreadable') return true
  if (note === undefined) return generation !== undefined && generation !== copied
  return toGenerations(note).some((each) => each === generation)
}

const wordsIn = (note = ''): readonly string[] => note.split(' ').filter(Boolean)
const toGenerations = (note: string | undefined): readonly number[] =>
  wordsIn(note)
    .filter((word) => word !== inUse)
    .map(Number)
const marksIn = (note: string | undefined): readonly string[] =>
  wordsIn(note).filter((word) => word === inUse)

const noted = (file: string): string | undefined =>
  existsSync(noteOf(file)) ? readFileSync(noteOf(file), 'utf8') : undefined

/** Whether a file has a log with content. */
export const hasLog = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
