import type { Rule } from '../../lexicon.ts'
import { command } from '../verbs.ts'
import { setTo, shouldBe } from './phrases.ts'

const fieldWords = { title: '@metaTitle', description: '@metaDescription', ogImage: '@metaImage' }

const metaRules: readonly Rule[] = Object.entries(fieldWords).flatMap(([detail, noun]): readonly Rule[] => {
  const what = `@det* ${noun} [[@on] page:$Page | @on page:$LoosePage]`
  return [
    {
      action: 'setMeta',
      detail,
      forms: [
        ...setTo(what), ...setTo(`[@on] page:$Page @det* ${noun}`), ...shouldBe(what), `${what} : v:$Value`,
        ...command('add', `${what} [:] v:$Quoted`, `[[@on] page:$Page] @det* ${noun} [:] v:$Quoted`),
        ...command('use', `v:$Quoted (als | für) ${what}`), `@give page:$Page @det* ${noun} v:$Quoted`,
      ],
    },
    { action: 'clearMeta', detail, forms: command('clear', what) },
  ]
})

/** German sentences that change what search engines and link previews read, in order of precedence. */
export const meta: readonly Rule[] = [
  ...metaRules,
  {
    action: 'setMetas',
    forms: [
      ...command('add', '@det* @metaAll [@onto page:$Page] (mit | :) metas:$Metas', '[[@onto] page:$Page] @det* @metaAll (mit | :) metas:$Metas'),
      ...command('set', '@det* @metaAll [@onto page:$Page] (mit | auf | :) metas:$Metas'),
      ...command('add', '@det* @metaAll [@onto page:$Page]').map((form) => `${form} (mit | :) metas:$Metas`),
    ],
  },
]
