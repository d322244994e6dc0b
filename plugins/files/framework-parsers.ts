/** Templates of frameworks, by the framework's own parser. Its trees are data that is not trusted to be exact. */
import { isPlainObject } from '../content/plain-object.ts'
import { indexOfByte, isCode, jsxTexts, loading, readable } from './template-parsers.ts'
import { isEdited, type TemplateParser, type TemplateText } from './template.ts'

/** What is used of `@vue/compiler-sfc`. */
export interface VueCompiler {
  parse(text: string, options: object): { readonly descriptor: unknown; readonly errors: readonly unknown[] }
}

/** What is used of `svelte/compiler`. */
export interface SvelteCompiler {
  parse(text: string, options: object): unknown
}

/** What is used of `@astrojs/compiler-rs`. */
export interface AstroCompiler {
  parse(text: string): { readonly ast: unknown; readonly diagnostics: readonly unknown[] }
}

type Tree = Readonly<Record<string, unknown>>

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((each, name) => (typeof each === 'object' && each ? (each as Tree)[name] : undefined), value)

const treesIn = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isPlainObject) : [])

/** Single-file components of Vue: what is in `<template>`. */
export function vueTexts({ parse }: VueCompiler): TemplateParser {
  return (text) =>
    readable(text, () => {
      const { descriptor, errors } = parse(text, { sourceMap: false, ignoreEmpty: false })
      const [error] = errors
      if (error)
        throw Object.assign(new Error(String(at(error, 'message'))), { loc: at(error, 'loc', 'start') })
      const found = createFinder(text)
      visit(at(descriptor, 'template', 'ast'), '')
      return found.all()

      function visit(node: unknown, element: string): void {
        const name = String(at(node, 'tag') ?? element)
        // Types of nodes: 2 is text, and 6 an attribute without an expression.
        if (at(node, 'type') === 2) found.text(name, offset(node, 'start'), offset(node, 'end'))
        for (const prop of treesIn(at(node, 'props')))
          if (prop['type'] === 6)
            found.attribute(name, prop['name'], offset(prop['value'], 'start'), offset(prop['value'], 'end'))
        for (const child of treesIn(at(node, 'children'))) visit(child, name)
      }
    })
}

const offset = (node: unknown, end: 'start' | 'end'): unknown => at(node, 'loc', end, 'offset')

/** Components of Svelte, of version 4 and later. */
export function svelteTexts({ parse }: SvelteCompiler): TemplateParser {
  return (text) =>
    readable(text, () => {
      const tree = parse(text, { modern: true })
      const found = createFinder(text)
      visit(at(tree, 'fragment') ?? at(tree, 'html'), '')
      return found.all()

      function visit(node: unknown, element: string): void {
        if (Array.isArray(node)) for (const each of node) visit(each, element)
        if (!isPlainObject(node)) return
        const { type, name, start, end, attributes, expression: _, ...parts } = node
        const tag = Array.isArray(attributes) ? String(name) : element
        if (type === 'Text') found.text(tag, start, end)
        for (const attribute of treesIn(attributes)) {
          const [only, ...others] = treesIn(attribute['value'])
          if (attribute['type'] !== 'Attribute' || only?.['type'] !== 'Text' || others.length > 0) continue
          found.attribute(tag, attribute['name'], only['start'], only['end'])
        }
        for (const part of Object.values(parts)) visit(part, tag)
      }
    })
}

/** Pages and components of Astro, by the compiler that Astro has from version 7. */
export function astroTexts({ parse }: AstroCompiler): TemplateParser {
  return jsxTexts((text) => {
    const { ast, diagnostics } = parse(text)
    const error = diagnostics.find((each) => at(each, 'severity') === 'error')
    if (error)
      throw Object.assign(new Error(String(at(error, 'text'))), { loc: treesIn(at(error, 'labels'))[0] })
    return typeof ast === 'string' ? JSON.parse(ast) : ast
  })
}

/** Pages and components of Astro, by `@astrojs/compiler`, whose places are partly wrong, or count bytes. */
export function olderAstroTexts({ parse }: AstroCompiler): TemplateParser {
  return (text) =>
    readable(text, () => {
      const { ast, diagnostics } = parse(text)
      const error = diagnostics.find((each) => at(each, 'severity') === 1)
      if (error) throw Object.assign(new Error(String(at(error, 'text'))), { loc: at(error, 'location') })
      const found = createFinder(text)
      const indexAt = indexOfByte(text)
      if (isPlainObject(ast)) visit(ast, '')
      return found.all()

      /** The place of a part from its offset, which may be wrong. */
      function placeOf(part: string, node: Tree): number | undefined {
        const offset = at(node, 'position', 'start', 'offset')
        if (typeof offset !== 'number') return undefined
        return [offset, indexAt(offset)].find((place) => text.startsWith(part, place))
      }
      function visit(node: Tree, element: string): void {
        const { type, name, value, children } = node
        const tag = Array.isArray(node['attributes']) ? String(name) : element
        const from = type === 'text' && typeof value === 'string' ? placeOf(value, node) : undefined
        if (from !== undefined && element !== expression) found.text(tag, from, from + String(value).length)
        for (const attribute of treesIn(node['attributes'])) {
          const { kind, raw } = attribute
          if (kind !== 'quoted' || typeof raw !== 'string') continue
          const start = placeOf(String(attribute['name']), attribute)
          const quoted = start === undefined ? -1 : text.indexOf(raw, start)
          const between = text.slice((start ?? 0) + String(attribute['name']).length, quoted)
          if (quoted !== -1 && /^\s*=\s*$/.test(between))
            found.attribute(tag, attribute['name'], quoted, quoted + raw.length)
        }
        for (const child of treesIn(children)) visit(child, type === 'expression' ? expression : tag)
      }
    })
}

/** In place of an element: what is there is code. */
const expression = '{'

/** Collects places, of which each that does not have what a parser says is left out. */
function createFinder(text: string) {
  const found: TemplateText[] = []
  const isSpan = (from: unknown, to: unknown): from is number =>
    typeof from === 'number' && typeof to === 'number' && from >= 0 && from < to && to <= text.length
  return {
    text(element: string, from: unknown, to: unknown): void {
      if (!isSpan(from, to) || isCode(element)) return
      const end = Number(to)
      if (!text.slice(from, end).includes('<')) found.push({ kind: 'text', from, to: end })
    },
    /** The place may include quotes. */
    attribute(element: string, name: unknown, from: unknown, to: unknown): void {
      if (typeof name !== 'string' || !isEdited(name) || !isSpan(from, to)) return
      if (loading.has(element) && (name === 'href' || name === 'src')) return
      const quote = /["']/.exec(text.charAt(from))?.[0]
      const [start, end] = quote ? [from + 1, Number(to) - 1] : [from, Number(to)]
      const isQuoted = /["']/.test(text.charAt(start - 1)) && text.charAt(end) === text.charAt(start - 1)
      if (isQuoted && start < end) found.push({ kind: name, from: start, to: end })
    },
    all: (): readonly TemplateText[] => found.toSorted((a, b) => a.from - b.from),
  }
}
