import { computed } from '@preact/signals'
import { page } from '../stores/draft.ts'
import { isRow } from '../stores/place.ts'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const letter = /\p{L}/u

/** The direction of the first letter in some texts. */
function directionOf(texts: readonly unknown[]): 'ltr' | 'rtl' {
  const first = texts
    .map((text) => (typeof text === 'string' ? letter.exec(text)?.[0] : undefined))
    .find(Boolean)
  return first !== undefined && rightToLeft.test(first) ? 'rtl' : 'ltr'
}

/** The direction in which the page is written: that of its title and first texts. */
const pageDirection = computed(() => {
  const texts = (page.value?.blocks ?? [])
    .slice(0, 3)
    .flatMap(({ props }) => (isRow(props) ? Object.values(props) : []))
  return directionOf([
    page.value?.title,
    ...texts.filter((text) => typeof text === 'string' && text.includes(' ')),
  ])
})

/** The direction of a field: its own text decides, and the page while it is empty. */
export const dirOf = (text: string): 'auto' | 'ltr' | 'rtl' => (text === '' ? pageDirection.value : 'auto')
