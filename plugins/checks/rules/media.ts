import { isPlaceholder } from '../../content/fields.ts'
import type { Field } from '../view/field.ts'
import { defineRule, filled, type Rule } from '../view/rule.ts'
import { writes } from '../view/finding.ts'

const isLeftOver = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^data:image\/svg\+xml/i.test(value) &&
  /generating|searching/i.test(value.slice(0, 4_000))
/** True if a field shows an image other than a placeholder. */
export const showsImage = ({ meta, value }: Field): boolean =>
  meta?.kind === 'image' && filled(value) && !isPlaceholder(value) && !isLeftOver(value)
const hasSecret = (value: unknown): boolean =>
  typeof value === 'string' && /[?&](?:accessToken|secret)=/i.test(value)
const withoutSecrets = (text: string): string => text.replace(/([?&](?:accessToken|secret)=)[^&#]*/gi, '$1…')

export const mediaRules: readonly Rule[] = [
  defineRule({
    id: 'media.placeholder',
    title: 'Placeholder instead of an image',
    severity: 'warning',
    fix: 'auto',
    *page({ fields }) {
      for (const { at, meta, value, write } of fields.filter(
        (field) => field.meta?.kind === 'image' && filled(field.value),
      )) {
        const leftOver = isLeftOver(value)
        if (!leftOver && !isPlaceholder(value)) continue
        const fix = leftOver && !meta?.required ? writes('auto', 'Remove it', write, null) : undefined
        yield { at, message: 'The image is a placeholder.', value, fix }
      }
    },
  }),
  defineRule({
    id: 'media.file-missing',
    title: 'Missing image file',
    severity: 'error',
    *site({ pages, missingFiles }) {
      if (missingFiles.size === 0) return
      for (const { files } of pages)
        for (const { at, url, name } of files)
          if (missingFiles.has(name)) yield { at, message: 'The image file does not exist.', value: url }
    },
  }),
  defineRule({
    id: 'media.gated-url',
    title: 'Address that visitors cannot or must not open',
    severity: 'warning',
    fix: 'auto',
    *page({ fields }) {
      for (const { at, value } of fields)
        if (hasSecret(value))
          yield { at, message: 'The address contains a secret.', value: withoutSecrets(String(value)) }
    },
    *site({ pages, driveCopies }) {
      for (const { drive } of pages) {
        for (const { at, url, id, write } of drive) {
          if (hasSecret(url)) continue
          const copy = driveCopies.get(id)
          const fix = copy === undefined ? undefined : writes('auto', 'Use the public copy', write, copy)
          yield { at, message: 'The address needs a login.', value: url, fix }
        }
        yield undefined
      }
    },
  }),
]
