import { useEffect } from 'preact/hooks'
import { Picture } from '../fields/picture.tsx'
import { fieldsOf, labelOf, displayNameOf, typeOf, type Field } from '../stores/block-types.ts'
import type { Block, Page } from '../stores/draft.ts'
import { loadContent, pagesRead } from './new-content-store.ts'
import { isRow, type Row } from '../stores/place.ts'
import { diff } from '../stores/review.ts'
import { metaNames, readingOf } from '../stores/words.ts'

/** A page of the draft, read while something on it is new. */
export function useContent(slug: string, isNeeded: boolean): Page | undefined {
  const shown = diff.value
  useEffect(() => {
    if (isNeeded) void loadContent(slug)
  }, [slug, isNeeded, shown])
  return isNeeded ? pagesRead.value.get(slug) : undefined
}

/** A new page as it will be: its texts for search engines, and the content of each block. */
export function NewPage({ slug }: { readonly slug: string }) {
  const page = useContent(slug, true)
  return page ? <WholePage page={page} /> : <div class="skeleton" aria-busy="true" />
}

/** The texts of a page for search engines, and its blocks. */
export const WholePage = ({ page }: { readonly page: Pick<Page, 'meta' | 'blocks'> }) => (
  <>
    {Object.entries(metaNames).map(([key, name]) => (
      <Value key={key} name={name} kind={key === 'ogImage' ? 'image' : 'text'} value={page.meta?.[key]} />
    ))}
    {page.blocks.map((block) => (
      <section key={block.id} class="block-diff">
        <h3>{displayNameOf(block.type)}</h3>
        <Content block={block} />
      </section>
    ))}
    {page.blocks.length === 0 && <p class="soft">The page has no blocks.</p>}
  </>
)

/** The texts, links and pictures of a block, as visitors will get them. */
export function Content({ block: { type, props } }: { readonly block: Pick<Block, 'type' | 'props'> }) {
  const fields = typeOf.value(type)?.fields
  return fields ? <Values row={props} fields={fields} /> : <Value name="" kind="" value={props} />
}

interface ValuesProps {
  readonly row: Row
  readonly fields: Readonly<Record<string, Field>>
}

const Values = ({ row, fields }: ValuesProps) =>
  Object.entries(fields)
    .filter(([name, field]) => shown.has(field.kind) && !field.internal && !name.startsWith('_'))
    .map(([name, field]) => {
      const value = row[name]
      if (field.kind !== 'list' || !Array.isArray(value))
        return <Value key={name} name={labelOf(name, field)} kind={field.kind} value={value} />
      return value.filter(isRow).map((each, at) => (
        <section key={`${name} ${at}`} class="new-row">
          <small>
            {labelOf(name, field)} {at + 1}
          </small>
          <Values row={each} fields={fieldsOf(field, each)} />
        </section>
      ))
    })

/** What visitors read or see; how it looks, such as a color, is left to the page itself. */
const shown: ReadonlySet<string> = new Set(
  'text html richtext imageAlt link url list stringList image imageList'.split(' '),
)

interface ValueProps {
  readonly name: string
  readonly kind: string
  readonly value: unknown
}

export function Value({ name, kind, value }: ValueProps) {
  const text = readingOf(value, kind)
  if (text === '') return null
  const pictures = kind === 'image' ? [text] : kind === 'imageList' ? text.split('\n') : []
  return (
    <div class="difference">
      {name !== '' && <small>{name}</small>}
      {pictures.map((address) => (
        <div key={address} class="new-picture">
          <Picture value={address} />
        </div>
      ))}
      {pictures.length === 0 && (
        <div class="words" dir="auto">
          {text}
        </div>
      )}
    </div>
  )
}
