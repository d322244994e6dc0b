import type { Rule } from '../lexicon.ts'

const here = '[(on | of | in) page:$Page]'
const problems = '(problems | errors | issues | mistakes | findings)'
const wrong = "(what (is | 's) | whats | is anything | is something) (wrong | broken | not right)"

/** What English sentences only ask. The whole message has to fit; `$Rest` is any words. */
export const questions: readonly Rule[] = [
  {
    action: 'blockCatalogue',
    forms: [
      '(what | which) [other | more | kinds of | types of] (blocks | sections | components | block types | elements) (can | could | may) (i | we | you) (add | use | insert) [here | to page:$Page | on page:$Page] [?]',
      '(what | which) [other] (blocks | sections | components | block types) (are available | exist) [?]',
      '[show [me] | list] [the | all | all the] (available (blocks | sections | components) | block types) [?]',
      '(what | which) (else | other things) can (i | we) add [here | to page:$Page] [?]', 'what can (i | we) add [here | to page:$Page] [?]',
    ],
  },
  {
    action: 'editableFields',
    forms: [
      '(what | which things) (can | could) (i | we | you) (change | edit) [here | on page:$Page | (in | on | about) block:$Block] [?]',
      '(what | which) (fields | props | texts) (can (i | we | you) (change | edit) | are there | does block:$Block have | are editable | [can] be edited) [here | on page:$Page | in block:$Block] [?]',
      '(what | which) (fields | props) [?]',
      '(what | which) is editable [here | on page:$Page | in block:$Block] [?]', '(list | show [me]) [the | all | all the] [editable] fields [(of | in) block:$Block] [?]',
    ],
  },
  {
    action: 'pageList',
    forms: [
      '(list | show [me]) [all | the | all the | my | our] pages [of the @site] [?]', '(what | which) pages (are there | do (i | we) have | exist | does the @site have) [?]',
      'how many pages [are there | do (i | we) have | does the @site have | exist] [?]', '[what are] [all] the pages ?',
    ],
  },
  {
    action: 'inventory',
    forms: [
      `(list | show [me]) [all | the | all the | my | our] thing:$Thing ${here} [?]`, `how many thing:$Thing [are there | do (i | we) have | are | does page:$Page have] [here] ${here} [?]`,
      `(what | which) thing:$Thing (are there | do (i | we) have | are | does page:$Page have) [here] ${here} [?]`,
    ],
  },
  {
    action: 'checkSite',
    forms: [
      `${wrong} (with | on) (the | my | our | this) @site [?]`, `are there [any] ${problems} (with | on) (the | my | our | this) @site [?]`, 'check (the | my | our | this) @site [for (problems | errors | issues)] [.|!|?]',
      `(find | list | show [me]) [all | the | all the | any] ${problems} (with | on | of) (the | my | our | this) @site [.|?]`, 'run [all | the | all the] checks [.|!|?]',
    ],
  },
  {
    action: 'checkPage',
    forms: [
      `${wrong} [(with | on) page:$Page | here] [?]`, `are there [any] ${problems} [(with | on) page:$Page | here] [?]`, 'check page:$Page [for (problems | errors | issues)] [.|!|?]',
      `(find | list | show [me]) [all | the | all the | any] ${problems} [(with | on | of) page:$Page | here] [.|?]`,
    ],
  },
  {
    action: 'fixSite',
    forms: [`fix [all] [the] ${problems} (with | on | of) (the | my | our | this) @site [.|!]`, 'fix what can be fixed (with | on | of) (the | my | our | this) @site [.|!]'],
  },
  {
    action: 'fixPage',
    forms: [`fix [all] [the] ${problems} [(with | on | of) page:$Page | here] [.|!]`, 'fix what (can be fixed | the checks found | is wrong | is broken) [(with | on | of) page:$Page | here] [.|!]'],
  },
  {
    action: 'advice',
    forms: [
      'should (i | we) rest:$Rest', 'do you (recommend | suggest | think) rest:$Rest', 'would you (recommend | suggest) rest:$Rest', 'is rest:$Rest a good idea [?]', 'is it a good idea rest:$Rest',
      'how (can | could | do | should | would) (i | we | you) improve [(page:$Page | block:$Block | the @site | this)] [?]', 'what (should | could | can) (be improved | (i | we | you) improve) [here | on page:$Page] [?]',
      '(audit | review) [page:$Page | the @site | this] [?]', 'any (suggestions | ideas | advice) [for page:$Page] [?]', '(what | which) (is missing | sections are missing) [here | on page:$Page] [?]',
    ],
  },
  {
    action: 'help',
    forms: [
      'help [me] [!|.|?]', 'what can (you | i) do [here] [for me] [?]', 'how does (this | it) work [?]',
      'what (are you | do you understand) [able to do] [?]', 'who are you [?]', '(show [me] | list) [some] (examples | commands) [?]',
    ],
  },
  {
    action: 'selectedImage',
    forms: [
      'describe (this | that | the) @image [.|!]', 'what (is | can be seen) (in | on) (this | that | the) @image [?]', 'what does (this | that | the) @image show [?]',
      'where (is | does) (this | that | the) @image [come] [from] [?]',
    ],
  },
  { action: 'negated', forms: ["(don't | do not | never | avoid | stop) rest:$Rest", "(don't | do not | never | avoid | stop)"] },
  { action: 'history', forms: ['(undo | redo | revert) [rest:$Rest]'] },
  { action: 'publishing', forms: ['(publish | go live | deploy) [rest:$Rest]', 'unpublish [rest:$Rest]'] },
]
