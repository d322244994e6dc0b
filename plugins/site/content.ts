import { hash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createKeyedQueue, errorCode, paced, withTimeout, writeDurably } from '../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../content/adapter.ts'
import { toBaseline } from '../content/baseline.ts'
import { withoutGeneratedId } from '../content/items.ts'
import { unlocked } from '../content/locked.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { parseExactly } from '../content/numbers.ts'
import { isPlainObject, parsedJson, sameJson } from '../content/plain-object.ts'
import { readPage } from '../content/read-pages.ts'
import { settingsOf } from '../content/redirects.ts'
import { settingsInDraftForm, settingsToSend } from '../content/settings-form.ts'
import { repeatedSlug, slugTwice } from '../content/slugs.ts'
import { readChanged, saysChanges, stateOf } from './changed-content.ts'
import { inFormOf, withoutMark } from './file-form.ts'

/** A job that does not end delays the next job of its source by two minutes. */
const queue = createKeyedQueue<string | object>({ longestRunMs: 120_000 })

/**
 * Runs the jobs of a source one at a time, in order of arrival; a failed job does not stop later ones.
 *
 * A source is the path of a file, or an object such as a content adapter.
 */
export const inTurn = <T>(source: string | object, job: () => Promise<T>): Promise<T> =>
  queue.run(typeof source === 'string' ? resolve(source) : source, job)

/** Milliseconds after which content counts as unreadable. */
const readWithinMs = 8_000
/** The same of an adapter that says what has changed: its first read may be of thousands of files. */
const readLargeWithinMs = 60_000

/**
 * Reads the complete content of a site from its adapter.
 *
 * Rejects if the adapter fails, takes longer than eight seconds, or returns something else than the content
 * of a site. Pages that cannot be used are listed in `unreadable`. Of an adapter that says what has changed, only
 * that is read, and the first read may take a minute.
 */
export async function readContentOf(adapter: ContentAdapter): Promise<SiteContent> {
  const overdue = (): Error => new Error('reading the content took too long')
  const content = saysChanges(adapter)
    ? await withTimeout(readLargeWithinMs, readChanged(adapter), overdue)
    : toBaseline(await withTimeout(readWithinMs, adapter.readContent(), overdue))
  if (!content) throw new Error('the adapter returned no content')
  return content
}

/** Returns the entity tag of the content of a site. */
export function tagOf(content: SiteContent): string {
  const { pages, siteConfig, redirects, unreadable = [] } = content
  const state = stateOf(content)
  if (state !== undefined) return `"${hash('sha256', state)}"`
  return `"${hash('sha256', JSON.stringify([pages, siteConfig, unreadable.map(({ raw }) => raw), redirects]))}"`
}

/** The layout of a content file: a plain array of pages, or an object with `pages` and `siteConfig`. */
export type ContentShape = 'array' | 'wrapper'

interface ContentFile {
  readonly content: SiteContent
  readonly shape: ContentShape
  readonly isMissing?: boolean
}

const settingsDropped =
  'The site settings (name, logo, navigation) were not stored, because this file holds pages only. ' +
  'Set shape to wrapper to keep them.'

/** Reads a content file; a missing file is an empty site. Throws an Error for an invalid file. */
export async function readContentFile(path: string): Promise<ContentFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new Error(
      `The content file ${path} cannot be read; check that it is a file, and its permissions.`,
      { cause: error },
    )
  })
  if (text === undefined) return { content: { pages: [] }, shape: 'array', isMissing: true }
  try {
    const value: unknown = parseExactly(withoutMark(text))
    const isArray = Array.isArray(value)
    const whole = isArray
      ? { pages: value, redirects: await readRedirects(path) }
      : isPlainObject(value)
        ? { redirects: [], ...value }
        : value
    return { content: toBaseline(whole) ?? { pages: [] }, shape: isArray ? 'array' : 'wrapper' }
  } catch (error) {
    const what = error instanceof SyntaxError ? 'it is not valid JSON: ' : ''
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The content file ${path} cannot be used: ${what}${why}`, { cause: error })
  }
}

/** The file with the redirects of a site whose content file is an array of pages. */
const redirectsBeside = (path: string): string => join(dirname(path), 'redirects.json')

async function readRedirects(path: string): Promise<unknown> {
  const text = await readFile(redirectsBeside(path), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '[]'
    throw error
  })
  const listed: unknown = JSON.parse(withoutMark(text))
  if (!Array.isArray(listed)) throw new Error('redirects.json beside it is not an array')
  return listed
}

async function writeRedirects(path: string, redirects: SiteContent['redirects'] = []): Promise<void> {
  if (sameJson(await readRedirects(path), redirects)) return
  const file = redirectsBeside(path)
  const text = await readFile(file, 'utf8').catch(() => '')
  await writeFileAtomically(file, await inFormOf(text, redirects))
}

/**
 * Replaces a content file and keeps its form; returns notes on values it cannot store. A wrapper keeps what
 * is omitted.
 *
 * Without a shape, the file keeps its own; a new one is an array. The redirects of an array are in a file
 * beside it.
 */
export async function writeContentFile(
  path: string,
  { content, shape }: { readonly content: SiteContent; readonly shape?: ContentShape },
): Promise<readonly string[]> {
  const { pages, redirects } = content
  const siteConfig = content.siteConfig && settingsToSend(content.siteConfig)
  const before = (await readContentFile(path).catch(() => undefined))?.content
  const carried = new Set(before?.unreadable?.map(({ raw }) => JSON.stringify(raw)))
  const twice = repeatedSlug(pages.filter((page) => carried.size === 0 || !carried.has(JSON.stringify(page))))
  if (twice !== undefined) throw new Error(slugTwice(twice))
  const text = await readFile(path, 'utf8').catch(() => '')
  const old = parsedJson(withoutMark(text), parseExactly)
  const around = isPlainObject(old) ? old : { pages: old }
  const stored = await asBefore(pages, around['pages'])
  const isArray = shape === undefined ? !withoutMark(text).trimStart().startsWith('{') : shape === 'array'
  const isChanged = siteConfig && !isSameSettings(around['siteConfig'], siteConfig)
  const areOther = redirects && !sameJson(around['redirects'] ?? [], redirects)
  const wrapper = {
    ...(isPlainObject(old) && old),
    pages: stored,
    ...(isChanged && { siteConfig }),
    ...(areOther && { redirects }),
  }
  if (isArray && redirects) await writeRedirects(path, redirects)
  await writeFileAtomically(path, await inFormOf(text, isArray ? stored : wrapper))
  return isArray && Object.keys(siteConfig ?? {}).length > 0 ? [settingsDropped] : []
}

/** Whether settings are the same, also as a service sends them that leaves out what it cannot read. */
const isSameSettings = (stored: unknown, sent: SiteConfig): boolean =>
  sameJson(stored, sent) || sameJson(settingsOf(settingsInDraftForm(stored) ?? {}), sent)

/** Returns pages to store: one that was repaired when it was read, and not changed since, is as it was. */
async function asBefore(pages: readonly Page[], raw: unknown): Promise<readonly unknown[]> {
  const sources: readonly unknown[] = Array.isArray(raw) ? raw.toReversed() : []
  const bySlug = new Map(
    sources.map((source) => [isPlainObject(source) ? source['slug'] : undefined, source]),
  )
  const stored: unknown[] = []
  for await (const page of paced(pages)) {
    const source = bySlug.get(page.slug)
    const isUnread = source === undefined || sameJson(source, page)
    const read = isUnread ? undefined : readPage(source, 0)
    const isSame = read && 'page' in read && sameJson(read.page, page, withoutGeneratedId)
    stored.push(isSame ? source : unlocked(page))
  }
  return stored
}

let written = 0

/**
 * Replaces a file atomically: readers find the old or the new bytes, even after a power loss.
 *
 * Creates a missing folder, follows links, and keeps the mode of an existing file; a new file has `newMode`,
 * or the default of the process. Error messages contain only the name of the file, so they can be shown to
 * the person who publishes.
 */
export async function writeFileAtomically(
  path: string,
  bytes: string | Uint8Array,
  { newMode }: { readonly newMode?: number } = {},
): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path)
    const mode = (await stat(target).catch(() => undefined))?.mode ?? newMode
    await writeDurably(target, bytes, {
      temporary: `.${basename(target)}.${process.pid}.${++written}.tmp`,
      mode,
      folderMode: 0o777,
    })
  } catch (error) {
    const code = errorCode(error) ?? 'no error code'
    const remedy = 'check that its folder may be written to and has room'
    throw new Error(`The file ${basename(path)} could not be written (${code}): ${remedy}.`, { cause: error })
  }
}
