import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { writeFileAtomically } from '../../site/port.ts'
import { isMissing, messageOf, SiteFilesError } from './project.ts'

/** A variable that has a value already, which is not the one that was wanted. */
export interface Kept {
  readonly name: string
  readonly value: string
  readonly wanted: string
}

/** What is to become of a file of variables. */
export interface Merged {
  readonly text: string
  /** What of it is new: the end. */
  readonly appended: string
  readonly added: readonly string[]
  readonly kept: readonly Kept[]
}

/**
 * Appends the variables that a text lacks; whatever is in it stays as it is, byte for byte.
 *
 * A variable without a value counts as missing, as everywhere. Refuses a value that no quotes can hold, and a
 * text in which what is appended would become part of something else.
 */
export function mergeEnv(text: string, wanted: Readonly<Record<string, string>>): Merged {
  const before = variablesIn(text)
  const missing = Object.entries(wanted).filter(([name]) => !before.get(name)?.trim())
  const kept = Object.entries(wanted).flatMap(([name, value]) => {
    const current = before.get(name) ?? ''
    return current.trim() === '' || current === value ? [] : [{ name, value: current, wanted: value }]
  })
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const start = text === '' || text.endsWith('\n') || missing.length === 0 ? '' : end
  const merged = text + start + missing.map(([name, value]) => `${name}=${quoted(name, value)}${end}`).join('')
  const after = variablesIn(merged)
  const expected = new Map([...before, ...missing])
  if ([...expected].some(([name, value]) => after.get(name) !== value)) throw new SiteFilesError(openQuote)
  return { text: merged, appended: merged.slice(text.length), added: missing.map(([name]) => name), kept }
}

const openQuote = 'a quote is opened in the file and never closed, so nothing can be added; close it'

/** The variables of a text, read as Node reads them. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  const found = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')))
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The value as it stands in the file; backslashes mean something between double quotes. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@+-]+$/.test(value)) return value
  const quote = (value.includes('\\') ? ["'", '`'] : ['"', "'", '`']).find((each) => !value.includes(each))
  if (quote !== undefined) return quote + value + quote
  throw new SiteFilesError(`the value of ${name} holds every kind of quotes, so it cannot be quoted; change it`)
}

/** Reads a file of variables; one that is missing is empty. Refuses, as a SiteFilesError, what is no text. */
export async function readEnvFile(file: string): Promise<string> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    if (isMissing(error, file)) return ''
    throw new SiteFilesError(`${file} cannot be read: ${messageOf(error)}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SiteFilesError(`${file} is not text in UTF-8; save it in that encoding`)
  }
}

/** Plans what {@link addToEnvFile} would do, and names the file where that is refused. */
export async function planEnvFile(file: string, wanted: Readonly<Record<string, string>>): Promise<Merged> {
  const text = await readEnvFile(file)
  try {
    return mergeEnv(text, wanted)
  } catch (error) {
    throw error instanceof SiteFilesError ? new SiteFilesError(`${basename(file)}: ${error.message}`) : error
  }
}

/** Adds the variables that a file lacks. A new file is for its owner alone; a failure leaves the old one. */
export async function addToEnvFile(file: string, wanted: Readonly<Record<string, string>>): Promise<Merged> {
  const merged = await planEnvFile(file, wanted)
  if (merged.added.length > 0) await writeFileAtomically(file, merged.text, { newMode: 0o600 })
  return merged
}
