/** The paths in a document to files of its website: they lead from its folder, and follow what moves. */
import { dirname, join, relative } from 'node:path/posix'
import { pathOfSlug, slugOfPath } from './file-slugs.ts'
import { rewriteMarkdownLinks, type Rewrite } from './link-texts.ts'
import type { Block, Page } from './model.ts'
import { isPlainObject, mapped, mappedObject } from './plain-object.ts'
import { isSchemeless } from './site-address.ts'
import { decoded } from './slugs.ts'

/** Rewrites the paths of a document to files that have moved; `rewrite` takes and returns slugs. */
export function followFiles(page: Page, rewrite: Rewrite): Page {
  return mapPaths(page, page.slug, (path) => {
    const slug = slugOfPath(path)
    const now = rewrite(slug)
    return now === slug ? path : (pathOfSlug(now) ?? path)
  })
}

/** Returns a document with paths to what they led to at its former slug, also to pictures. */
export const withPathsFrom = (page: Page, slug: string): Page => mapPaths(page, slug, (path) => path)

function mapPaths(page: Page, from: string, move: (path: string) => string): Page {
  const [was, is] = [folderOf(from), folderOf(page.slug)]
  /** Returns a path from the folder of the page, written as the one from its former folder. */
  const moved = (path: string): string => {
    const there = join(was, path)
    const now = move(there)
    if (there.startsWith('..') || (now === there && was === is)) return path
    const written = relative(is, now) + (path.endsWith('/') ? '/' : '')
    return path.startsWith('./') && !written.startsWith('../') ? `./${written}` : written
  }
  const inAddress: Rewrite = (address) => {
    const [path = ''] = address.split(/[?#]/, 1)
    const plain = isPath.test(path) && !isSchemeless(path) ? decoded(path) : undefined
    if (plain === undefined) return address
    const now = moved(plain)
    return now === plain ? address : encoded(now) + address.slice(path.length)
  }
  const inMarkdown = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return mapped(value, (each) => inMarkdown(each, name))
    if (isPlainObject(value)) return mappedObject(value, inMarkdown)
    if (typeof value !== 'string') return value
    return isAddress.test(name) ? inAddress(value) : rewriteMarkdownLinks(value, inAddress, { images: true })
  }
  /** Front matter has paths without escapes. */
  const inFront = (value: unknown): unknown => {
    if (Array.isArray(value)) return mapped(value, inFront)
    if (isPlainObject(value)) return mappedObject(value, inFront)
    return typeof value === 'string' && /^\.\.?\//.test(value) ? moved(value) : value
  }
  const blocks = mapped(page.blocks, (block): Block => {
    if (isCode.test(block.type)) return block
    const props = mappedObject(block.props, block.type === 'Details' ? inFront : inMarkdown)
    return props === block.props ? block : { ...block, props }
  })
  return blocks === page.blocks ? page : { ...page, blocks }
}

const isCode = /^(?:Code|Data|Texts)$/
const isAddress = /^(?:href|src)$/
/** Neither an address, nor a part of the page, nor code; `@` and `~` name folders of a framework. */
const isPath = /^(?![/@~]|[a-z][\w+.-]*:)[^\n{}<>$|\\]+$/i

const folderOf = (slug: string): string => dirname(pathOfSlug(slug) ?? '')

const encoded = (path: string): string =>
  path.replaceAll(
    /[\s%?#()]/g,
    (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
