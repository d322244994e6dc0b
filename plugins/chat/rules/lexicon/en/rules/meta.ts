import type { Rule } from '../../lexicon.ts'

const fieldWords = { title: '@metaTitle', description: '@metaDescription', ogImage: '@metaImage' }

const metaRules: readonly Rule[] = Object.entries(fieldWords).flatMap(([detail, noun]): readonly Rule[] => [
  {
    action: 'setMeta',
    detail,
    forms: [
      `@set @det* ${noun} [@on page:$LoosePage] @to v:$Value`,
      `(add | set | make | change | update | create | write | use) @det* ${noun} [(@onto | @on) page:$LoosePage] [@colon | @saying] v:$Literal`,
      `@set page:$Page 's ${noun} @to v:$Value`, `@det* ${noun} [@on page:$LoosePage] (@should | @colon) v:$Value`,
      `@det* ${noun} [@on page:$LoosePage] @dash v:$Literal`, `page:$Page 's ${noun} (@should | @colon) v:$Value`, `page:$Page , ${noun} @colon v:$Value`,
      `(add | @enter) v:$Literal @asOrFor @det* ${noun} [@on page:$LoosePage]`,
      `give page:$Page @det* ${noun} [@saying | :] v:$Literal`, `page:$Page @mustHave @det* ${noun} [@saying | :] v:$Literal`,
      `@det* ${noun} (@should | @colon) v:$Literal @on page:$Page`,
      `page:$Page @mustHave v:$Literal as @det* ${noun}`, `@set @det* ${noun} @to v:$Literal @on page:$Page`,
      `@make @det* ${noun} [@on page:$LoosePage] @says v:$Literal`,
    ],
  },
  { action: 'setMeta', detail, continues: 'page', forms: [`@det* ${noun} (to | as | with | is | @colon) v:$Value`, `@det* ${noun} v:$Literal`] },
  { action: 'clearMeta', detail, forms: [`@clear @det* ${noun} [@on page:$LoosePage]`, `@clear page:$Page 's ${noun}`, `take @det* ${noun} @away`] },
])

/** English sentences that change what search engines and link previews read, in order of precedence. */
export const meta: readonly Rule[] = [
  ...metaRules,
  {
    action: 'setMetas',
    forms: [
      '(add | set | update | change) @det* @metaAll [@onto page:$Page] (with | to | :) metas:$Metas',
      '(add | set | update | change) @det* @metaAll with metas:$Metas @onto page:$Page',
    ],
  },
]
