import type { Fields } from '../../content/model.ts'
import type { Page, Props } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { everyItemField } from '../../content/list-fields.ts'

/** Replaces the addresses of images in pages. Each is handed over once per place, and what comes back stands there. */
export function withImages(pages: readonly Page[], replace: (address: string) => string): readonly Page[] {
  return pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) => ({ ...block, props: inFields(block.props, builtinRegistry.get(block.type)?.fields ?? {}, replace) })),
  }))
}

/** The addresses of images on other servers, each once. */
export function remoteImages(pages: readonly Page[]): readonly string[] {
  const found = new Set<string>()
  withImages(pages, (address) => {
    if (/^https?:\/\//i.test(address)) found.add(address)
    return address
  })
  return [...found]
}

function inFields(props: Props, fields: Fields, replace: (address: string) => string): Props {
  const next = Object.entries(props).map(([name, value]) => {
    const meta = fields[name]
    if (meta?.kind === 'image' && typeof value === 'string') return [name, replace(value)]
    if (meta?.kind === 'list' && Array.isArray(value)) return [name, value.map((row: unknown) => (isPlainObject(row) ? inFields(row, everyItemField(meta), replace) : row))]
    return [name, value]
  })
  return Object.fromEntries(next)
}
