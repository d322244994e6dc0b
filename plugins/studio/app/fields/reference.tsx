import { useId } from 'preact/hooks'
import { isRow } from '../stores/place.ts'
import type { FieldProps } from './field.ts'

/** What the content store refers to; it is chosen there. */
export function ReferenceField({ field, label, value, siblings }: FieldProps) {
  const id = useId()
  const name = nameOfReference(value, field.referenceLabelKey, siblings)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <output id={id} dir="auto">
        {name ?? 'Nothing is chosen.'}
      </output>
      <small>Chosen in the CMS of the site.</small>
    </div>
  )
}

const usual = ['title', 'name', 'label', 'slug', '_ref', 'id', '_id', 'documentId']

/** A readable text for a pointer; `undefined` if it points to nothing. */
function nameOfReference(
  value: unknown,
  labelKey: string | undefined,
  siblings: Readonly<Record<string, unknown>>,
): string | undefined {
  const beside = labelKey === undefined ? undefined : siblings[labelKey]
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value))
    return value.map((each) => nameOfReference(each, labelKey, {}) ?? '?').join(', ') || undefined
  const own = isRow(value) ? [labelKey ?? '', ...usual].map((key) => value[key]) : [value]
  const isName = (text: unknown): boolean =>
    (typeof text === 'string' && text !== '') || typeof text === 'number'
  // A text beside the pointer is meant for people; of the pointer itself, only the named key is.
  const named = isRow(value) && labelKey !== undefined ? value[labelKey] : undefined
  const found = [named, beside, ...own].find(isName)
  return found === undefined ? 'An entry of the CMS' : String(found)
}

/** A value that only the site itself knows how to write. */
export function OpaqueField({ label, value }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <output id={id} dir="auto">
        {textsIn(value).slice(0, 400) || '—'}
      </output>
      <small>Written by the CMS of the site.</small>
    </div>
  )
}

/** The texts inside a document, without its structure. */
function textsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textsIn).filter(Boolean).join(' ')
  if (!isRow(value)) return ''
  const own = [value['text'], value['value']].find((text) => typeof text === 'string')
  return typeof own === 'string' ? own : Object.values(value).map(textsIn).filter(Boolean).join(' ')
}
