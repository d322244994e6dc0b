import type { Field } from '../view/field.ts'
import { isLink, linkTextOf } from '../view/links.ts'
import { defineRule, filled, lengthOf, type Rule } from '../view/rule.ts'
import { takesText, writes } from '../view/finding.ts'
import { showsImage } from './media.ts'

const alts = ({ meta, value }: Field): boolean => meta?.kind === 'imageAlt' && filled(value)

/** Returns the name of an image's alt field: with the same stem, else `alt`, else the only alt field. */
function altNameOf({ name, fields }: Field): string | undefined {
  const paired = [`${name.replace(/(?:Url|Src)$/, '')}Alt`, 'alt'].find((each) => Object.hasOwn(fields, each))
  const only = Object.keys(fields).filter((each) => fields[each]?.kind === 'imageAlt')
  return paired ?? (only.length === 1 ? only[0] : undefined)
}

const isDecorative = ({ name, owner }: Field): boolean =>
  owner[`${name.replace(/(?:Url|Src)$/, '')}Decorative`] === true

const bareNames = /^(?:image|photo|picture|untitled|img|dsc|screenshot)?[\s_-]*\d*$/i
const fileName = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i
const bareId = /^[0-9a-f-]{16,}$/i
const opening = /^(?:an?\s+|the\s+)?(?:image|photo|picture|photograph|graphic)\s+(?:of|showing)\s+/i

export const a11yRules: readonly Rule[] = [
  defineRule({
    id: 'a11y.alt-missing',
    title: 'Image without a description',
    severity: 'warning',
    fix: 'suggest',
    *page({ fields }) {
      for (const image of fields.filter(showsImage)) {
        const field = image.beside(altNameOf(image))
        if (!field || filled(field.value) || isDecorative(image)) continue
        const message = 'The image has no description for people who cannot see it.'
        yield { at: field.at, message, value: image.value, fix: takesText('Describe the image', field.write) }
      }
    },
  }),
  defineRule({
    id: 'a11y.alt-file-name',
    title: 'Image described by a file name',
    severity: 'warning',
    fix: 'suggest',
    *page({ fields }) {
      for (const { at, value, write } of fields.filter(alts)) {
        const text = String(value).trim()
        if (!fileName.test(text) && !bareId.test(text) && !bareNames.test(text)) continue
        yield {
          at,
          message: 'The description of the image is a file name or a placeholder.',
          value,
          fix: takesText('Describe the image', write),
        }
      }
    },
  }),
  defineRule({
    id: 'a11y.alt-redundant',
    title: 'Description opens with "image of"',
    severity: 'info',
    fix: 'auto',
    *page({ fields }) {
      for (const { at, value, write } of fields.filter(alts)) {
        const rest = String(value).trim().replace(opening, '')
        if (rest === String(value).trim() || rest === '') continue
        const text = rest.charAt(0).toUpperCase() + rest.slice(1)
        yield {
          at,
          message: 'Screen readers already announce an image.',
          value,
          fix: writes('auto', 'Remove the opening words', write, text),
        }
      }
    },
  }),
  defineRule({
    id: 'a11y.alt-long',
    title: 'Long image description',
    severity: 'info',
    params: { max: 150 },
    *page({ fields }, { max }) {
      for (const { at, value } of fields.filter(alts))
        if (lengthOf(value) > max)
          yield { at, message: `The description of the image has more than ${max} characters.`, value }
    },
  }),
  defineRule({
    id: 'a11y.h1-missing',
    title: 'Page without a main headline',
    severity: 'warning',
    pagesOnly: true,
    fix: 'auto',
    *page({ at, blocks, headings }) {
      if (!blocks.some(({ isContent }) => isContent) || headings.some(({ level }) => level === 1)) return
      const [first] = headings
      const fix = writes('auto', 'Make the first heading the main headline', first?.setLevel, 1)
      yield { at, message: 'The page has no main headline.', value: first?.text, fix }
    },
  }),
  defineRule({
    id: 'a11y.h1-multiple',
    title: 'More than one main headline',
    severity: 'warning',
    fix: 'auto',
    *page({ headings }) {
      for (const { at, text, setLevel } of headings.filter(({ level }) => level === 1).slice(1)) {
        const fix = writes('auto', 'Make it a heading of level 2', setLevel, 2)
        yield { at, message: 'The page already has a main headline.', value: text, fix }
      }
    },
  }),
  defineRule({
    id: 'a11y.heading-skip',
    title: 'Skipped heading level',
    severity: 'warning',
    fix: 'auto',
    *page({ headings }) {
      let before: number | undefined
      for (const { level, at, text, setLevel } of headings) {
        if (before !== undefined && level > before + 1) {
          const fix = writes('auto', `Make it a heading of level ${before + 1}`, setLevel, before + 1)
          yield {
            at,
            message: `A heading of level ${level} follows one of level ${before}.`,
            value: text,
            fix,
          }
        }
        before = level
      }
    },
  }),
  defineRule({
    id: 'a11y.link-text-empty',
    title: 'Link without a text',
    severity: 'error',
    fix: 'suggest',
    *page({ fields }) {
      for (const link of fields.filter((field) => isLink(field) && filled(field.value))) {
        const field = linkTextOf(link)
        if (!field || filled(field.value)) continue
        yield {
          at: field.at,
          message: 'The link has a target but no text.',
          value: link.value,
          fix: takesText('Write a text', field.write),
        }
      }
    },
  }),
  defineRule({
    id: 'a11y.link-text-generic',
    title: 'Generic link text',
    severity: 'info',
    params: {
      words: [
        'click here',
        'here',
        'read more',
        'more',
        'link',
        'hier',
        'hier klicken',
        'mehr',
        'mehr lesen',
        'weiterlesen',
      ],
    },
    *page({ fields }, { words }) {
      for (const link of fields.filter((field) => isLink(field) && filled(field.value))) {
        const field = linkTextOf(link)
        if (
          field &&
          words.includes(
            String(field.value ?? '')
              .trim()
              .toLowerCase(),
          )
        )
          yield {
            at: field.at,
            message: 'The text of the link does not say where it leads.',
            value: field.value,
          }
      }
    },
  }),
]
