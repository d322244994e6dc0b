import { blockNouns, fieldNouns, rowNouns } from './en-nouns.ts'
import { duties, verbs, words } from './en-words.ts'
import { type Language, list, pairs, type Phrases } from './language.ts'

/** Courtesies. */
const courtesies: Language['courtesies'] = {
  thanks: list(`thanks, thank you, thank u, thx, ty, thanks a lot, thanks a million, thanks so much, thanks very much, thank you so much, thank you very much, many thanks,
    thanks again, thank you again, much appreciated, i appreciate it, cheers`),
  praise: [
    ...list(`great, perfect, nice, good, awesome, cool, excellent, wonderful, fantastic, amazing, brilliant, lovely, super, beautiful, well done, love it, i love it, i like it,
      nice one, very good, very nice, wow, it works, that worked, that works`),
    ...pairs('good, great, nice, excellent, amazing', 'job, work'),
  ],
  greetings: list('hi, hello, hey, yo, greetings, good morning, good afternoon, good evening, good day, how are you, how are you doing, how do you do'),
  farewells: list('bye, bye bye, goodbye, good bye, good night, see you, see you later, see you soon, see ya, have a nice day'),
  around: list(`ok, okay, oh, so, and, all, now, very, really, just, much, there, again, everybody, everyone, it, this, that, that 's, that is, it 's, it is, this is, looks, for,
    for your help, for the help, for that, for this, you, i, today`),
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

const ordinal = (n: number) => ordinals[n - 1] ?? `${n}th`

/** Templates in English. */
const phrases: Phrases = {
  block: (noun, n) => (n === undefined ? `the ${noun}` : `the ${ordinal(n)} ${noun}`),
  row: (noun, n) => `the ${ordinal(n)} ${noun}`,
  fieldOf: (field, owner) => `the ${field} of ${owner}`,
  on: (reference, slug) => `${reference} on ${slug}`,
  page: (slug) => (slug === '/' ? 'the home page' : slug),
  rewrite(field, owner) {
    const [thing = '', ...page] = owner.split(/ (?=on )/)
    return ['Rewrite', thing.replace(/ section$/, ''), field, ...page].join(' ')
  },
  addBlock: (noun) => `Add ${/^(?:[aeiou]|FAQ)/i.test(noun) ? 'an' : 'a'} ${noun} section`,
  moveTo: (reference, place) => `Move ${reference} ${place}`,
  createPage: 'Create a new page',
  renamePage: 'Change the page title',
  setMeta: 'Change the meta description',
  places: ['to the top', 'to the bottom'],
}

const rest = '(?<rest>.+)'
const where = '(?: (?:on|of|in|about) (?<where>.+?))?'
const problems = '(?:problems|errors|issues|mistakes|findings)'
const wrong = "what (?:is|'s) (?:wrong|broken|not right)|whats (?:wrong|broken)|is (?:anything|something) (?:wrong|broken)"
const site = '(?:the|my|our|this) (?:site|website)'

/** Patterns over the words of a message, joined by blanks. */
const questions: Language['questions'] = [
  ['blockCatalogue', new RegExp(`^(?:what|which) (?:(?:other|more|kinds of|types of) )?(?:blocks|sections|components|block types|elements) (?:can|could|may) (?:i|we|you) (?:add|use|insert)(?: here)?${where}$`, 'd')],
  ['blockCatalogue', /^(?:(?:what|which) (?:other )?(?:blocks|sections|components|block types) (?:are available|exist)|(?:(?:show(?: me)?|list) )?(?:the |all |all the )?(?:available (?:blocks|sections|components)|block types)|(?:what|which) (?:else|other things) can (?:i|we) add(?: here)?|what can (?:i|we) add(?: here)?)$/d],
  ['editableFields', new RegExp(`^(?:what|which things) (?:can|could) (?:i|we|you) (?:change|edit)(?: here)?${where}$`, 'd')],
  ['editableFields', /^(?:what|which) (?:fields|props|texts) (?:does|do) (?<where>.+?) have$/d],
  ['editableFields', new RegExp(`^(?:what|which) (?:fields|props|texts)(?: can (?:i|we|you) (?:change|edit)| are there| are editable| can be edited)?(?: here)?${where}$`, 'd')],
  ['editableFields', new RegExp(`^(?:(?:what|which) is editable(?: here)?|(?:list|show(?: me)?) (?:the |all |all the )?(?:editable )?fields)${where}$`, 'd')],
  ['pageList', new RegExp(`^(?:(?:list|show(?: me)?) (?:all |the |all the |my |our )?pages(?: of ${site})?|(?:what|which) pages (?:are there|do (?:i|we) have|exist|does ${site} have)|how many pages(?: are there| do (?:i|we) have| exist| does ${site} have)?|(?:what are )?(?:all )?the pages)$`, 'd')],
  ['checkSite', new RegExp(`^(?:(?:${wrong}) (?:with|on) ${site}|are there (?:any )?${problems} (?:with|on) ${site}|check ${site}(?: for ${problems})?|(?:find|list|show(?: me)?) (?:all |the |any )?${problems} (?:with|on|of) ${site}|run (?:all |the |all the )?checks)$`, 'd')],
  ['checkPage', new RegExp(`^(?:(?:${wrong})|are there (?:any )?${problems}|(?:find|list|show(?: me)?) (?:all |the |all the |any )?${problems})(?: here| (?:with|on|of) (?<where>.+?))?$`, 'd')],
  ['checkPage', new RegExp(`^check (?<where>(?:this|the|my|our|/).*?)(?: for ${problems})?$`, 'd')],
  ['fixSite', new RegExp(`^fix (?:(?:all )?(?:the )?${problems}|what can be fixed) (?:with|on|of) ${site}$`, 'd')],
  ['fixPage', new RegExp(`^fix (?:(?:all )?(?:the )?${problems}|what (?:can be fixed|the checks found|is wrong|is broken))(?: here| (?:with|on|of) (?<where>.+?))?$`, 'd')],
  ['inventory', /^(?:what (?:is|'s)|show(?: me)? what is) on (?<where>(?:this|the|my|our|\/).*?)$/d],
  ['inventory', new RegExp(`^(?:list|show(?: me)?) (?:all |the |all the |my |our )?(?<thing>.+?)(?: here)?${where}$`, 'd')],
  ['inventory', new RegExp(`^(?:how many|what|which) (?<thing>.+?)(?: are there| do (?:i|we) have| are| does (?<page>.+?) have)?(?: here)?${where}$`, 'd')],
  ['advice', new RegExp(`^(?:should (?:i|we)|do you (?:recommend|suggest|think)|would you (?:recommend|suggest)|is it a good idea) ${rest}$`, 'd')],
  ['advice', new RegExp(`^is ${rest} a good idea$`, 'd')],
  ['advice', /^(?:how (?:can|could|do|should|would) (?:i|we|you) improve(?: .+)?|what (?:should|could|can) (?:be improved|(?:i|we|you) improve)(?: .+)?|(?:audit|review)(?: (?:this|the) (?:page|site)| this)?|any (?:suggestions|ideas|advice)(?: for .+)?|(?:what|which) (?:is missing|sections are missing)(?: .+)?)$/d],
  ['help', /^(?:help(?: me)?|what can (?:you|i) do(?: here)?(?: for me)?|how does (?:this|it) work|what (?:are you|do you understand)(?: able to do)?|who are you|(?:show(?: me)?|list) (?:some )?(?:examples|commands))$/d],
  ['image', /^(?:describe (?:this|that|the) (?:image|photo|picture)|what (?:is|can be seen) (?:in|on) (?:this|that|the) (?:image|photo|picture)|what does (?:this|that|the) (?:image|photo|picture) show|where (?:is|does) (?:this|that|the) (?:image|photo|picture)(?: come)?(?: from)?)$/d],
  ['negated', /^(?!.*(?: (?:forget|but|just|only|instead) |[,.;:!?] (?!(?:it|they) (?:is|are|'s) )))(?:don't|do not|never|avoid|stop)(?: .+)?$/d],
  ['history', /^(?:undo|redo|revert)(?: .+)?$/d],
  ['publishing', /^(?:publish|go live|deploy|unpublish)(?: .+)?$/d],
]

/** Common typos: the word, then its misspellings. No other typos are corrected. */
const misspelled = `
  above: abov abvoe / after: aftre / and: adn anf nad / answer: answr anwser aswer awnser
  background: backgroud backround bakground / banner: baner banne bannner bannr / before: befoer
  below: bellow belwo / between: beetween betwen bewteen / bottom: botom bototm
  button: bttn buton butotn buttn buttton / called: caled calld claled / can: cna
  carousel: carosel carousal carousell caroussel / change: cahnge chage chagne chaneg chnage chnge hcange
  column: colum / columns: collumns coloumns colums / could: coud / create: ceate craete creat crete
  delete: deleat deleet delet delte dleete
  description: decription desciption descripton descrption desription discription
  duplicate: dublicate duplcate dupliacte duplicat / eyebrow: eybrow eyebrown
  feature: featuer feautre feture / features: featues featurs feautres fetures / first: fisrt frist
  gallery: galery gallary gallerie gallry / heading: haeding headding headign headin headng heding
  headline: haedline headine headlien headlin headling heahline hedline / homepage: hompage
  image: iamge imgae imge / insert: inser insrt isnert / link: ilnk lnik / logo: logoo / menu: menue
  move: moev mvoe / navigation: navigaton navigtion / page: paeg pgae / picture: pciture pictrue pictur
  please: plaese pleaes pleas plese plss plz / position: positon postion
  question: qestion quesiton questoin queston / quote: qoute / quotes: qoutes / read: readd
  remove: remov remve remvoe reomve rmove romove / rename: ranme reanme renam renmae
  replace: relpace repalce replase replce rplace / second: secnd seocnd
  section: sction seciton sectio sectoin secton / should: shold sholud shoud shuold
  statistics: statistcs / subheading: subheadign subheadng subheding / subtitle: subtitel / swap: swpa
  tagline: tagine taglin tagling taglne
  testimonial: tesimonial testamonial testimonail testimonal testomonial
  testimonials: tesimonials testamonials testimonails testimonals testomonials / the: hte teh th thte
  third: thrid / title: tilte titel titile tittle ttile / titled: titeld / to: ot tot
  update: udpate upadte upate updat updte / video: vedio vidoe / with: wih wiht wtih / you: u yuo
  your: ur
`

const typos: Readonly<Record<string, string>> = Object.fromEntries(misspelled.split(/[/\n]/).flatMap((entry) => {
  const [word = '', mistakes = ''] = entry.split(':').map((part) => part.trim())
  return mistakes.split(' ').filter(Boolean).map((mistake) => [mistake, word])
}))

export const english: Language = {
  code: 'en', typos, verbs, duties, words, courtesies, blockNouns, rowNouns, fieldNouns, phrases, questions,
  verbLast: false,
  requestVerbs: [
    'set', 'change', 'update', 'edit', 'modify', 'add', 'insert', 'create', 'remove', 'delete', 'move', 'rename', 'duplicate', 'copy', 'replace', 'swap', 'clear',
    'rewrite', 'reword', 'rephrase', 'retitle', 'relabel', 'adjust', 'revise', 'rework', 'drop', 'erase', 'link', 'point',
  ],
  ordinals: {
    first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10,
    '1st': 1, '2nd': 2, '3rd': 3, '4th': 4, '5th': 5, '6th': 6, '7th': 7, '8th': 8, '9th': 9, '10th': 10, last: -1, final: -1, top: 1, bottom: -1,
  },
  numbers: { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12 },
  options: { on: 'true', yes: 'true', true: 'true', off: 'false', no: 'false', false: 'false' },
  colors: Object.fromEntries([
    'black', 'white', 'red', 'green', 'blue', 'yellow', 'orange', 'purple', 'pink', 'brown', 'gray', 'grey', 'navy', 'teal', 'maroon', 'olive', 'lime',
    'aqua', 'silver', 'fuchsia', 'cyan', 'magenta', 'gold', 'beige', 'ivory', 'coral', 'indigo', 'violet', 'turquoise', 'transparent',
  ].map((color) => [color, color])),
  languageNames: [
    'english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'japanese', 'korean', 'chinese', 'polish', 'danish', 'swedish',
    'norwegian', 'finnish', 'russian', 'turkish', 'arabic', 'greek', 'czech',
  ],
  joints: { value: 'to', name: 'called', scope: 'from', place: '' },
}
