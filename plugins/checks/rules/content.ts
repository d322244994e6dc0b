import {
  hasMarkup,
  isDeclaredList,
  isInternal,
  isPolymorphic,
  isText,
  newProps,
} from '../../content/fields.ts'
import { newBudget, violations } from '../../content/check-props.ts'
import type { BlockType, Fields, Props } from '../../content/model.ts'
import { isPlainObject, ownValue, perObject } from '../../content/plain-object.ts'
import { valueAt, type Field } from '../view/field.ts'
import { defineRule, filled, lengthOf, plainText, type Rule } from '../view/rule.ts'
import { takesText, writes } from '../view/finding.ts'

/** The props of a new block; a site may declare thousands of defaults, so they are copied once for all pages. */
const defaultsOf = perObject((type: BlockType): Props => ({ ...newProps(type.fields), ...type.starter() }))

/** Markup and documents may have content without text, such as an image. Long values count as not blank. */
function isBlank({ meta, value }: Field): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value !== 'string') return value === undefined || value === null
  if (!hasMarkup(meta)) return value.trim() === ''
  return (
    value.length < 10_000 &&
    plainText(value.replaceAll('&nbsp;', ' ')) === '' &&
    !/<(?:img|video|audio|iframe|svg)\b|!\[/i.test(value)
  )
}

const takesTexts = (field: Field): boolean =>
  isText(field.meta) || field.meta?.kind === 'image' || field.meta?.kind === 'url'

/** True for internal fields, and references to other documents. */
function isHidden(fields: Fields, path: string): boolean {
  const [name = ''] = path.split(/[.[]/, 1)
  const meta = ownValue(fields, name)
  return isInternal(name, meta) || meta?.kind === 'reference' || /[.\]]_/.test(path)
}

const lorem = /\blorem ipsum\b/i
const markup = /<[a-z][^<>]*>|\*\*(?=\S)[^*\n]+\*\*|(?<!\w)__(?=\S)[^_\n]+__(?!\w)/i

export const contentRules: readonly Rule[] = [
  defineRule({
    id: 'content.required-empty',
    title: 'Required field is empty',
    severity: 'error',
    fix: 'suggest',
    *page({ fields }) {
      for (const field of fields.filter((each) => each.meta?.required && isBlank(each))) {
        const fix = takesTexts(field) ? takesText(`Fill in ${field.label}`, field.write) : undefined
        yield {
          at: field.at,
          message: `${field.label} is required and empty.`,
          value: field.value ?? null,
          fix,
        }
      }
    },
  }),
  defineRule({
    id: 'content.default-text',
    title: 'Unchanged default text',
    severity: 'warning',
    // Short texts may match by chance.
    params: { min: 16 },
    *page({ blocks }, { min }) {
      for (const { block, type, fields } of blocks) {
        const defaults = type && defaultsOf(type)
        for (const field of fields.filter((each) => isText(each.meta) && filled(each.value))) {
          const { at, name, value, owner, label } = field
          const isDefault =
            owner === block.props &&
            lengthOf(value) >= min &&
            defaults !== undefined &&
            ownValue(defaults, name) === value
          if (
            isDefault ||
            value === `New ${label}` ||
            value === `<p>New ${label}</p>` ||
            lorem.test(String(value))
          )
            yield { at, message: 'The text is the default of new blocks.', value }
        }
      }
    },
  }),
  defineRule({
    id: 'content.block-unknown',
    title: 'Unknown block type',
    severity: 'error',
    *page({ blocks }) {
      for (const { type, at, block } of blocks)
        if (!type)
          yield {
            at,
            message: `The site does not declare the block type '${block.type.slice(0, 80)}'.`,
            value: block.type,
          }
    },
  }),
  defineRule({
    id: 'content.props-invalid',
    title: 'Invalid value',
    severity: 'error',
    *page({ blocks }) {
      const budget = newBudget()
      for (const { block, type, at, fields } of blocks) {
        if (!type || budget.steps === 0) continue
        const blank = new Set(
          fields.filter((field) => field.meta?.required && isBlank(field)).map((field) => field.at.path),
        )
        const labels = new Map(fields.map(({ at: { path }, label }) => [path, label]))
        const seen = new Set<string>()
        for (const { path, message } of violations(type.propsSchema, block.props, '', budget)) {
          if (blank.has(path) || seen.has(path) || isHidden(type.fields, path)) continue
          seen.add(path)
          const { at: place, value = null } = valueAt(block, at, path)
          yield { at: place, message: `${labels.get(path) ?? path} ${message}.`, value }
        }
      }
    },
  }),
  defineRule({
    id: 'content.block-id-duplicate',
    title: 'Block id used twice on a page',
    severity: 'error',
    *page({ blocks }) {
      const seen = new Map<string, number>()
      for (const { block, at } of blocks) {
        const before = seen.get(block.id) ?? 0
        seen.set(block.id, before + 1)
        if (before > 0)
          yield {
            at,
            message: 'Another block of this page has the same id.',
            value: block.id,
            of: String(before + 1),
          }
      }
    },
  }),
  defineRule({
    id: 'content.discriminator-missing',
    title: 'Row without a type',
    severity: 'error',
    *page({ blocks }) {
      for (const { block, at, fields } of blocks) {
        for (const {
          at: { path },
          meta,
          value,
        } of fields) {
          if (!meta || !isDeclaredList(meta) || !isPolymorphic(meta) || !Array.isArray(value)) continue
          const { discriminator, itemFieldsByType = {} } = meta
          for (const [index, row] of value.entries()) {
            const kind = isPlainObject(row) ? row[discriminator] : undefined
            if (typeof kind === 'string' && Object.hasOwn(itemFieldsByType, kind)) continue
            const { at: place } = valueAt(block, at, `${path}[${index}].${discriminator}`)
            yield { at: place, message: `The row has no valid ${discriminator}.`, value: kind ?? null }
          }
        }
      }
    },
  }),
  defineRule({
    id: 'content.markup-in-text',
    title: 'Markup in a plain text',
    severity: 'info',
    fix: 'auto',
    // Texts of files are Markdown, code, and markup of templates.
    pagesOnly: true,
    *page({ fields }) {
      for (const { at, meta, value, write, label } of fields) {
        if (meta?.kind !== 'text' || typeof value !== 'string' || !markup.test(value)) continue
        const text = plainText(value)
        const fix = text === '' ? undefined : writes('auto', 'Make it plain text', write, text)
        yield { at, message: `${label} is plain text and shows the markup literally.`, value, fix }
      }
    },
  }),
  defineRule({
    id: 'content.page-large',
    title: 'Page too large for a complete check',
    severity: 'info',
    pagesOnly: true,
    *page({ at, isCut }) {
      if (isCut)
        yield { at, message: 'The page is too large for a complete check. Its last part was not checked.' }
    },
  }),
  defineRule({
    id: 'content.page-empty',
    title: 'Page without content',
    severity: 'warning',
    pagesOnly: true,
    *page({ at, blocks }) {
      if (!blocks.some(({ isContent }) => isContent)) yield { at, message: 'The page has no content.' }
    },
  }),
]
