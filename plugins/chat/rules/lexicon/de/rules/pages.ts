import type { Rule } from '../../lexicon.ts'
import { apart, command, request } from '../verbs.ts'
import { setBy, setTo, shouldBe } from './phrases.ts'

/** Names of a page that is to be made, before and behind the word for it. */
const newPage = '[@a] (name:$Title @page | name:$Quoted [-] @page | name:$PageName @page | name:$NewPageWord)'

const pageCalled = '@called (name:$Quoted | name:$Words)'

const pageBlocks = '[mit blocks:$NewBlocks]'

/** German sentences that change pages, in order of precedence. */
export const pages: readonly Rule[] = [
  {
    action: 'createPage',
    forms: [
      ...command('create', `[@a] @page ${pageCalled} [unter slug:$Route] ${pageBlocks}`, `[@a] @page [:] name:$Quoted [unter slug:$Route] ${pageBlocks}`, `[@a] @page [unter | mit der adresse] slug:$Route [${pageCalled}] ${pageBlocks}`, `${newPage} [unter slug:$Route] ${pageBlocks}`,
        '[@a] @page @called name:$Value', '[@a] @page (über | zu | zum | zur) @det* name:$Title', '@a @page name:$Title'),
      ...command('create', '[@a] @page').flatMap((form) => [`${form} ${pageCalled} ${pageBlocks}`, `${form} : name:$Quoted`]),
      ...command('create', `[@a] @page [${pageCalled} | name:$Quoted] [unter slug:$Route]`).map((form) => `${form} mit blocks:$NewBlocks`),
      `@wish [@a] @page ${pageCalled} [unter slug:$Route] ${pageBlocks}`, `@wish [@a] @page name:$Quoted ${pageBlocks}`,
      `@wish [@a] @page unter slug:$Route ${pageBlocks}`, `@wish ${newPage} ${pageBlocks}`,
      '@wish [@a] @page (über | zu | zum | zur) @det* name:$Title',
    ],
  },
  {
    action: 'createPage',
    detail: 'Für',
    forms: [
      ...command('create', `[@a] @page für [unser | unsere | unseren | die | den | das] name:$Title ${pageBlocks}`),
      `@wish [@a] @page für [unser | unsere | unseren | die | den | das] name:$Title ${pageBlocks}`,
    ],
  },
  {
    action: 'createPages',
    forms: [
      ...command('create', '[die | drei | zwei] [@blankPage] @pagesWord [namens | : | für] names:$PageNames'),
      '@wish [die] [@blankPage] @pagesWord [namens | : | für] names:$PageNames',
    ],
  },
  {
    action: 'removePage',
    forms: [
      ...request('remove', 'pages:$Pages'), ...command('remove', '[die] @pagesWord pages:$LoosePages', '@det* @page pages:$LoosePages'),
      'pages:$Pages @away',
    ],
  },
  {
    action: 'duplicatePage',
    forms: [
      ...request('copy', 'page:$Page', '[(nach | zu | als | unter | auf) slug:$Route] [(@called | als) (name:$Quoted | name:$Words)]'),
      '@copyOf page:$Page [(nach | als | unter) slug:$Route]', '[@want] page:$Page @copyLast (nach | zu | als | unter) slug:$Route',
    ],
  },
  {
    action: 'renamePage',
    forms: [
      ...command('rename', 'page:$Page (in | zu | →) slug:$Route').flatMap((form) => [
        `${form} und @set (ihren | den | seinen) titel @to v:$Value`, `${form} und [setze | stelle] den titel auf v:$Value`,
        `${form} und den titel [@to] v:$Quoted @setLast`,
      ]),
      ...request('rename', 'page:$Page', '(in | zu | →) v:$Value'), ...command('rename', 'page:$Page v:$Quoted'), ...command('rename', 'in v:$Value'),
      'page:$Page @shall v:$Quoted heißen', '[@want] page:$Page @renameLast in v:$Value', '[@want] @page @renameLast (in | zu) v:$Quoted', ...apart('rename', 'page:$Page', 'in v:$Value'),
    ],
  },
  {
    action: 'retitlePage',
    forms: [
      ...setTo('@det* @pageTitle'), ...setTo('@det* (titel | name | namen) [@on] page:$Page'), ...shouldBe('@det* @pageTitle'),
      ...shouldBe('@det* (titel | name) [@on] page:$Page'), '@det* @pageTitle : v:$Value',
      ...setTo('[auf | von | in] page:$Page @det* (titel | seitentitel)'), '@give page:$Page [den] titel v:$Quoted',
    ],
  },
  {
    action: 'movePageAddress',
    forms: [
      ...setBy('set', '@det* @address [@on] page:$Page', '@to slug:$Route'),
      ...setBy('set', '@det* (slug | pfad | seitenadresse | seitenpfad)', '@to slug:$Route'),
      '@det* @address [@on] page:$Page @shall slug:$Route (sein | lauten)',
    ],
  },
  {
    action: 'movePage',
    forms: [
      ...request('move', 'page:$LoosePage', '[@inMenu] place:$PagePlace [@inMenu]'), ...command('move', '@inMenu page:$LoosePage place:$PagePlace'),
      'page:$LoosePage @shall [@inMenu] place:$PagePlace [@inMenu] @standLast', '[@want] page:$LoosePage @moveLast place:$PagePlace',
    ],
  },
]
