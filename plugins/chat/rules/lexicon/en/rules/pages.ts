import type { Rule } from '../../lexicon.ts'
import { itGoes } from './phrases.ts'

/** English sentences that change pages, in order of precedence. */
export const pages: readonly Rule[] = [
  {
    action: 'createPage',
    forms: [
      '@create [@a] [@blankPage] page (@called) (name:$Quoted | name:$Words) [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @atAddress slug:$Route [[and | ,] @called (name:$Quoted | name:$Words)] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] slug:$Route page',
      '@create [@a] [@blankPage] page slug:$Route [@called (name:$Quoted | name:$Words)] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page [: | @dash] name:$Quoted [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @containing blocks:$NewBlocks [and | ,] (@called | call it) name:$Quoted',
      '@create [@a] [@blankPage] page (, | and | ; | .) [@filler] (call it | name it | title it | @called) name:$Quoted [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page @called name:$Value',
      '@create [@a] [@blankPage] (name:$Words | name:$Quoted | name:$PageName) page [@atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@create [@a] [@blankPage] page (about | on) [our | the] name:$Words [@containing blocks:$NewBlocks]',
      '(have | get) @a [@blankPage] page @called (name:$Quoted | name:$Words) [@containing blocks:$NewBlocks]',
      '@another [@blankPage] page [: | @dash | , | @called] name:$Quoted [[and] @atAddress slug:$Route] [@containing blocks:$NewBlocks]',
      '@another [@blankPage] page [:] slug:$Route', '@another [@blankPage] page @atAddress slug:$Route [@called name:$Quoted]',
      'there (should | must | has to) be [@a] [@blankPage] page @called (name:$Quoted | name:$Words) [@containing blocks:$NewBlocks]',
    ],
  },
  {
    action: 'createPage',
    detail: 'bare',
    forms: [
      '@another [@blankPage] page : name:$Value', '@another [@blankPage] page [called] name:$Words', '@create [@a] [@blankPage] page : name:$Value',
    ],
  },
  {
    action: 'createPage',
    detail: 'for',
    forms: ['@create [@a] [@blankPage] page for [our | the] name:$Words [@containing blocks:$NewBlocks]'],
  },
  {
    action: 'createPages',
    forms: [
      '@create [n:$Number] [@blankPage] names:$PageNames pages', '@create [the] [n:$Number] [@blankPage] pages [, | @called | for | : | @dash] names:$PageNames',
      '@create [@blankPage] pages for [our | the] names:$PageNames', 'n:$Number [@blankPage] pages [, | :] names:$PageNames',
      '@another [n:$Number] pages [:] names:$PageNames',
    ],
  },
  {
    action: 'removePage',
    forms: [
      '@removePage [@both] pages:$Pages [@anymore]', '@removePage [the | both | both the] pages:$LoosePages pages', '@removePage [the] pages pages:$LoosePages',
      'take page:$Page @away', '(pages:$Pages) @mustBe @removed', 'pages:$Pages (can | must | has to) go',
      `@notNeeded page:$Page [@anymore] ${itGoes}`, '@removePage pages:$LoosePages from @det* @site',
    ],
  },
  {
    action: 'duplicatePage',
    forms: [
      '@copy page:$Page [(to | as | into | at | under) slug:$Route] (and | , | , and) (call | name | title | rename) (it | @theCopy) [to] name:$Quoted',
      '@copy page:$Page (and | , | , and) (put | place) (it | @theCopy) (at | under) slug:$Route',
      '@copy page:$Page [(to | as | into | at | under | with the address) slug:$Route] [(@called | as) (name:$Quoted | name:$Value)]',
      '@copy page:$Page (to | as | into) name:$Quoted',
    ],
  },
  {
    action: 'renamePage',
    forms: [
      '@rename page:$Page (to | → | into) slug:$Route and (set | change | update) (its | the) title (to | →) v:$Value',
      '@rename page:$Page (to | → | into | as) v:$Value', '@rename page:$Page v:$Quoted', '(rename) to v:$Value', 'page:$Page @mustBeCalled v:$Quoted',
      'give page:$Page @det* @slug slug:$Route and @det* (title | name) v:$Quoted',
      '@set @det* @slug of page:$Page @to slug:$Route and @det* (title | name) @to v:$Quoted',
    ],
  },
  { action: 'retitlePage', forms: ['(retitle | title | re title) page:$Page [to | → | as] v:$Value'] },
  {
    action: 'retitlePage',
    forms: [
      '@set @det* page (title | name) [@on page:$Page] @to v:$Value', '@set @det* (title | name) of page:$Page @to v:$Value',
      '@set @det* page (title | name) @to v:$Quoted @on page:$Page',
      "@set page:$Page ['s] [page] (title | name) @to v:$Value", '@det* page (title | name) [@on page:$Page] (@should | @colon) v:$Value',
      "@set page:$Page ['s] [page] (title | name) v:$Quoted",
      '@det* (title | name) of page:$Page (@should | @colon) v:$Value', "page:$Page ['s] [page] (title | name) (@should | @colon) v:$Value",
      'give page:$Page @det* [page] (title | name) v:$Quoted', '@enter v:$Quoted @asOrFor @det* (page (title | name) [@on page:$Page] | title of page:$Page)',
      'page:$Page @mustHave @det* [page] (title | name) v:$Quoted', '@make @det* page (title | name) [@on page:$Page] [@says] v:$Quoted',
      '@set @det* page (title | name) v:$Quoted', '@det* page (title | name) [@on page:$Page] @dash v:$Quoted',
    ],
  },
  {
    action: 'movePageAddress',
    forms: [
      '@set @det* @slug (of | for) page:$Page [@to] slug:$Route', "@set page:$Page ['s] @slug [@to] slug:$Route",
      '@set @det* page @slug [@on page:$Page] [@to] slug:$Route', '@set @det* @pageSlug [@to] slug:$Route',
      '@set @det* [page] @slug from page:$Page @to slug:$Route', "page:$Page ['s] @slug (@should | @colon) slug:$Route",
      '@det* @slug (of | for) page:$Page (@should | @colon) slug:$Route', 'give page:$Page @det* [@fresh] @slug slug:$Route',
      '@move page:$Page (to | under) [@det* @slug] slug:$Route', '@det* page @slug [@on page:$Page] (@should | @colon) slug:$Route',
      'page:$Page should (be at | live at | be found at | be reachable at | be under | move to | be reachable under | be available at) slug:$Route',
      '@enter slug:$Route (as | for) @det* @slug (of | for) page:$Page', '@make page:$Page (available | reachable) (at | under) slug:$Route',
      'page:$Page @mustHave @det* @slug slug:$Route',
      '@make @det* @slug (of | for) page:$Page slug:$Route',
    ],
  },
  {
    action: 'movePage',
    forms: [
      '@move page:$LoosePage [in the @menu] place:$PagePlace [in the @menu]', 'page:$LoosePage @shouldMove place:$PagePlace [in the @menu]',
      '(@move | @showAt | @want) page:$LoosePage place:$PagePlace in the @menu', 'in the @menu [,] [@filler] page:$LoosePage @shouldMove place:$PagePlace',
      'in the @menu [,] [@filler] (@move | @showAt | @want) page:$LoosePage place:$PagePlace', '@want page:$Page place:$PagePlace',
      '(@move | @showAt) page:$LoosePage in the @menu place:$PagePlace', '@make page:$LoosePage place:$PagePlace [in the @menu]',
    ],
  },
]
