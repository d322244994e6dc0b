import type { Lexicon } from '../lexicon.ts'

const combined = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`))

/** What is not so yet, and has to be. */
const modals = [
  'should', 'must', 'shall', 'has to', 'have to', 'needs to', 'need to', 'ought to', 'is supposed to', 'should now', 'must now', 'should just',
  'should simply', 'should instead', 'should rather', 'should from now on',
]

/** Sentences in English: words by what they do. */
export const words: Lexicon['words'] = {
  // Around a request
  leadIn: [
    'please', 'kindly', 'pls', 'hey', 'hi', 'hello', 'ok', 'okay', 'so', 'now', 'just', 'also', 'then', 'next', 'and', 'great',
    'thanks', "let 's", 'go ahead and', 'i want to', "i'd like to", "i'd like you to", 'i would like to', 'i would like you to',
    'i need you to', 'i want you to', 'i need to', "i'd love to", 'i would love to', "i'd love you to", 'we want to', "we'd like to",
    'we would like to', 'we need to', "we'd like you to", 'we want you to', 'we need you to', 'go and', 'feel free to',
    'alright', 'all right', 'good morning', 'good afternoon', 'good evening', 'hi there',
    'hello there', 'hey there', 'thank you', 'thx', 'oh', 'btw', 'by the way', 'finally', 'lastly', 'firstly', 'secondly', 'quickly', 'actually',
    'oh and', 'as well', 'but', 'time to', "it 's time to", 'be so kind as to', 'be so good as to', 'simply', 'one more thing', 'one last thing',
    'last thing', 'another thing', 'quick one', 'quick thing', 'quick request', 'quick fix', 'quick edit', 'quick change', 'quick update', 'small change',
    'little change', 'small thing', 'one small thing', 'in addition', 'additionally', 'furthermore', 'moreover', 'meanwhile', 'today',
    'thanks a lot', 'many thanks',
    'as discussed', 'as agreed', 'typo', 'correction',
  ],
  polite: [
    'can you', 'could you', 'would you', 'will you', 'can we', 'could we', 'can i', 'could i', 'would you mind', 'will we',
    'would you be so kind as to', 'would you be able to', 'can somebody', 'can someone', 'could somebody', 'could someone', 'could you possibly', 'could you maybe',
    'can you maybe', 'could you perhaps', 'may i ask you to',
    'can you go ahead and', 'could you go ahead and', 'could you help me to', 'can you help me to', 'could you help me', 'can you help me',
  ],
  besides: [',', '.', ';', 'but', ', but', '. but', 'and', ', and'],
  beforehand: ['before applying', 'before changing', 'before doing', 'before you apply', 'before you change', 'before you do'],
  tail: [
    'please', 'pls', 'thanks', 'thank you', 'thx', 'many thanks', 'asap',
  ],
  filler: [
    'please', 'kindly', 'pls', 'also', 'then', 'now', 'just', 'finally', 'next', 'afterwards', 'lastly', 'simply', 'after that', 'instead',
    'can you', 'could you', "let 's", "i'd like you to", 'i want you to', 'as well', 'additionally', 'as a last step',
  ],
  questionWord: [
    'what', 'which', 'where', 'when', 'why', 'who', 'whose', 'how', 'is', 'are', 'was', 'were', 'do', 'does', 'did', 'should',
    'would', 'could', 'can', 'may', 'am', 'has', 'will',
  ],
  /** Question words that a title may begin with, and the words behind them that make a question of it all the same. */
  titleWord: ['what', 'where', 'when', 'why', 'who', 'how'],
  askedOf: ['many', 'much', 'about', 'come', 'if'],
  /** Beside the name of something on the page these make a request: `the headline should be shorter`. */
  duty: [
    'should', 'must', 'needs', 'need', 'has', 'ought', 'below', 'above', 'under', 'left', 'right', 'columns', 'uppercase', 'shorter', 'longer', 'bigger', 'smaller', 'better', 'nicer',
    'friendlier',
  ],
  /** Before the name of a part of the page: something is said of it. */
  definite: ['the', 'this', 'that', 'these', 'those', 'our', 'my', 'your', 'its'],
  whole: ['page', 'pages', 'site', 'website', 'menu', 'draft'],
  /** How requests begin, beside the verbs in `anyVerb` and `otherVerb`; not what buttons and titles often begin with, such as `get`. */
  opening: [
    'make', 'put', 'turn', 'switch', 'rewrite', 'reword', 'rephrase', 'retitle', 'relabel', 'fix', 'correct', 'adjust', 'revise', 'rework', 'drop', 'erase',
    'get rid of', 'take out', 'take away', 'link', 'point', 'find', 'search for', 'look for', 'suggest', 'propose', 'simplify', 'proofread', 'polish', 'revert',
    'restore', 'give me', 'give us', 'give it', 'give the', 'show me', 'help me', 'tell me', 'list', 'use', 'i want', "i'd like", 'i would like', 'i need',
    'we want', "we'd like", 'i prefer', "i'd prefer", "don't", 'do not', 'never mind', 'forget it', 'if', 'install', 'redesign', 'optimize', 'export', 'connect', 'tidy up', 'come up with', 'summarise', 'describe',
    'exchange', 'reverse', 'push', 'take the', 'show the', 'start the', 'begin the', 'end the',
  ],
  /** How an answer begins that confirms or corrects. */
  reply: ['yes', 'yep', 'no', 'nope', 'not', 'i mean', 'i meant', 'sorry', 'rather', 'exactly', 'correct', 'both', 'neither', 'none'],
  conditional: ['if', 'unless', 'whenever', 'in case'],
  connector: ['and', 'then', 'also', 'plus', '&', ',', ';', '.', 'as well as', 'but', 'while', 'afterwards', '-', '–', '—', '•', '*'],
  join: [',', 'and', ', and', '&', 'plus', 'as well as'],
  notName: [
    'a', 'an', 'the', 'this', 'that', 'my', 'our', 'your', 'its', 'their', 'to', 'of', 'on', 'in', 'at', 'from', 'with', 'and', 'or',
    'new', 'current', 'page', 'pages', 'first', 'last', 'i', 'it', 'is', 'was', 'not', "don't", 'whole', 'entire',
    'every', 'each', 'all', 'any', 'some', 'no', 'called', 'named', 'titled', 'section', 'block', 'like', 'less', 'more', 'about',
    'blank', 'empty', 'other', 'wrong', 'right', 'top', 'bottom', 'same', 'both', 'which', 'what', 'better', 'nice', 'nicer',
    'great', 'good', 'cool', 'by', 'as', 'into', 'so', 'but', 'if', 'another', 'extra', 'additional', 'further', 'fresh', 'separate', 'different',
    'second', 'third', 'fourth', 'fifth', 'next', 'previous', 'one', 'two', 'three', 'four', 'five', 'couple', 'few', 'several', 'many', 'simple',
    'small', 'short', 'little', 'quick', 'proper', 'decent', 'dedicated', 'special', 'suitable', 'similar', 'me', 'us', 'them', 'you', 'too', 'saying', 'reading', 'says', 'who',
    'linking', 'having', 'including', 'containing', 'entitled', 'headed', 'labelled', 'labeled', 'showing', 'starting', 'beginning',
  ],

  // Before a request, without being one
  some: [
    'one', 'two', 'three', 'four', 'five', 'a few', 'a couple of', 'some', 'several', 'just one', 'just two', 'just a few', 'the', 'the following', 'these',
    'a number of',
  ],
  little: ['more', 'quick', 'small', 'little', 'minor', 'other', 'last', 'final', 'simple', 'tiny', 'short', 'one'],
  task: [
    'change', 'changes', 'edit', 'edits', 'update', 'updates', 'tweak', 'tweaks', 'fix', 'fixes', 'request', 'requests', 'correction', 'corrections', 'favor',
    'favour', 'task', 'tasks', 'one',
  ],
  gotten: ['uploaded', 'added', 'got', 'made', 'taken', 'found', 'received', 'chosen', 'picked', 'bought', 'prepared'],
  praise: [
    'all good', 'good', 'so far so good', 'nice', 'very nice', 'perfect', 'well', 'right', 'sure', 'yes', 'cool', 'wonderful', 'excellent', 'sorry', 'looks good',
    'looks great', 'looking good', 'very good',
    'lovely', 'awesome', 'fine', 'great', 'thank you', 'thanks',
  ],
  pause: [':', ',', '.', ';', 'and', 'so', '-', '–', '—'],

  // Before and after names
  det: ['the', 'a', 'an', 'my', 'our', 'your', 'its', 'their', 'this', 'that', 'existing', 'current', 'new', 'whole', 'entire', 'complete', 'old', 'original'],
  a: ['a', 'an', 'another', 'one', 'one more', 'an additional', 'an extra', 'a further', 'some'],
  unit: [
    'section', 'sections', 'block', 'blocks', 'component', 'components', 'element', 'elements', 'area', 'module', 'widget', 'part',
  ],
  it: ['it', 'that', 'that one'],
  thisBlock: [
    'this', 'this one', 'this section', 'this block', 'this component', 'this element', 'that section', 'that block',
    'the selected section', 'the selected block', 'the current section', 'the current block', 'the active section',
    'the active block', 'selected section', 'selected block',
  ],
  thisText: ['this', 'it', 'that', 'this text', 'the selected text', 'the selected field', 'this field', 'selected text', 'selected field'],
  called: [
    'called', 'named', 'titled', 'headed', 'entitled', 'with the title', 'with the heading', 'with title', 'with heading', 'with the headline',
    'with the name', 'with name', 'under the name', 'by the name of', 'that is called', 'which is called', "that 's called",
  ],
  saying: [
    'saying', 'that says', 'which says', 'reading', 'that reads', 'which reads', 'labelled', 'labeled', 'with the text', 'with the label', 'called', 'named',
    'with text', 'with label', 'that currently says', 'which currently says', 'that now says', 'with the words',
  ],
  home: [
    'home page', 'homepage', 'start page', 'front page', 'home', 'landing page',
  ],
  thisPage: ['this page', 'the page', 'the current page', 'current page', 'our page'],
  all: ['all', 'every', 'each', 'all the', 'all of the', 'all our', 'all my'],
  both: ['both', 'both the', 'both of the'],
  everything: ['everything', 'all sections', 'all blocks', 'all the sections', 'all the blocks', 'every section', 'every block'],
  everywhere: [
    'everywhere', 'on all pages', 'on every page', 'across all pages', 'across the site', 'across the whole site',
    'on the whole site', 'throughout the site', 'on each page', 'in all pages', 'site wide', 'all over the site',
  ],
  except: ['except', 'except for', 'but', 'but not', 'other than', 'apart from', 'besides', 'save for', 'with the exception of'],
  presently: ['at the moment', 'currently', 'right now', 'at present', 'presently', 'so far', 'today', 'still', 'now'],
  ownThing: [
    'slogan', 'tagline', 'headline', 'logo', 'motto', 'photo', 'picture', 'image', 'name', 'address', 'phone number', 'number', 'url', 'link', 'title', 'text',
    'claim', 'opening hours', 'prices', 'price', 'offer', 'pictures', 'photos', 'images', 'idea',
    'question', 'quote', 'review', 'testimonial', 'boat', 'guide', 'tour', 'menu', 'domain', 'booking page', 'booking link', 'heading', 'description', 'sentence',
    'customer', 'feature',
  ],
  tableRow: ['row', 'line', 'table row'],
  fresh: ['new', 'fresh', 'separate', 'empty', 'blank', 'simple', 'extra', 'additional', 'small', 'short'],
  detailMark: [':', ',', '-', '–', '—', '.', ';', 'and', ', and', '&', 'plus', 'as well as', '. and'],
  linking: ['linking to', 'leading to', 'pointing to', 'going to', 'linked to', 'that links to', 'which links to', 'with a link to', 'opening'],
  wording: ['text', 'wording', 'label', 'words', 'copy', 'caption', 'writing', 'inscription'],
  destination: ['link', 'url', 'target', 'address', 'destination', 'href', 'link target', 'web address'],
  secondary: ['second', 'secondary', '2nd'],
  another: ['another', 'one more', 'new', 'an additional', 'an extra', 'a further', 'a new', 'an additional new', 'one new', 'one additional', 'one extra'],
  colon: [':', '=', '→'],
  dash: ['-', '–', '—'],

  // Little words between slots
  to: [
    'to', 'to say', 'to read', 'to be', 'as', 'into', 'with', 'by', ':', '=', '→', 'so it says', 'so that it says', 'so it reads',
    'so that it reads', 'so it is', 'so that it is', 'to the text', 'to the following :', 'to this :', 'to the following text :', 'to now say',
    'to now read', 'to simply say', 'and make it', 'and make it say', 'and let it say',
  ],
  by: ['with', 'by', 'to', 'for', 'into', '→'],
  of: ['of', 'in', 'on', 'for', 'from', 'inside', 'within', 'under'],
  ofRow: ['of', 'in', 'for', 'to', 'on', 'from', 'under', 'below', 'beneath'],
  on: ['on', 'of', 'in', 'from', 'at', 'for'],
  onto: ['to', 'on', 'onto', 'in', 'into', 'at', 'for'],
  into: ['to', 'in', 'into', 'on', 'at', 'for', 'of'],
  inside: ['in', 'on', 'for', 'inside', 'within', 'under', 'inside of', 'at', 'regarding', 'as for', 'concerning', 'over in', 'over on'],
  over: ['over', 'above', 'on top of', 'at the top of'],
  says: [
    'say', 'read', 'be', 'show', 'to say', 'to read', 'to be', 'to show', 'now say', 'now read', 'simply say', 'just say', 'to now say', 'to now read',
    'display',
  ],
  should: [
    ...combined(modals, ['say', 'read', 'be', 'become', 'show', 'be called', 'be named', 'be titled', 'be changed to', 'be set to', 'be replaced with', 'be replaced by',
      'have the text', 'be renamed to', 'be updated to', 'change to', 'be switched to']),
    'becomes', 'is now', 'now says', 'now reads', 'now is', 'is to be', 'is from now on', 'is going to be',
  ],
  mustSay: combined(modals, ['say', 'read', 'show']),
  mustBe: combined(modals, ['be', 'become']),
  mustBeCalled: [
    ...combined(modals, ['be called', 'be named', 'be titled', 'be headed', 'be renamed to', 'be renamed', 'have the title', 'have the heading']), 'is now called',
    'is now named',
  ],
  mustHave: [...combined(modals, ['have', 'get', 'use']), 'needs', 'gets', 'now has'],
  shouldGo: [
    ...combined(modals, [
      'go to', 'link to', 'point to', 'open', 'lead to', 'point at', 'take people to', 'take visitors to', 'take you to', 'take guests to', 'bring people to',
      'send people to', 'send visitors to', 'lead people to', 'be linked to', 'be a link to', 'dial', 'call', 'direct to', 'direct people to', 'jump to',
      'scroll to', 'redirect to',
    ]),
    'now links to', 'now goes to',
  ],
  goTo: [
    'go to', 'link to', 'open', 'point to', 'point at', 'lead to', 'links to', 'take people to', 'take visitors to', 'take you to', 'take guests to', 'dial', 'call',
    'leads to', 'goes to', 'points to', 'opens', 'to link to', 'to go to', 'to point to', 'to open', 'to lead to', 'a link to', 'jump to', 'scroll to', 'direct to',
    'redirect to',
    'send people to', 'send visitors to', 'bring people to', 'lead people to',
  ],
  copula: ['be', 'is', 'becomes', 'become', 'now', 'called', 'named', 'titled', 'headed'],
  unchanged: [
    'unchanged', 'as is', 'as it is', 'as they are', 'the same', 'alone', 'intact', 'untouched', 'where it is', 'where they are', 'the way it is',
    'the way they are', 'as it was',
  ],

  // Verbs
  set: [
    'set', 'change', 'update', 'edit', 'modify', 'make', 'switch', 'turn', 'rewrite', 'reword', 'rename', 'relabel', 'retitle',
    'adjust', 'replace', 'swap', 'put', 'swap out', 'switch out', 'change out', 'rephrase', 'alter', 'amend', 'revise', 'fix', 'correct', 'reset', 'exchange',
    'substitute', 'switch over', 'change around', 'redo', 'rework', 'turn round', 'have',
  ],
  edit: ['update', 'edit', 'change', 'modify', 'adjust', 'rework', 'for'],
  changes: [
    'set', 'change', 'update', 'replace', 'make', 'switch', 'edit', 'put', 'swap', 'modify', 'adjust', 'alter', 'swap out', 'rename', 'amend', 'fix', 'correct',
  ],
  /** Verbs that come before a text and the place where it goes. */
  enter: [
    'use', 'put', 'type', 'write', 'enter', 'fill in', 'insert', 'set', 'go with', 'take', 'have', 'show', 'display', 'paste', 'place', 'choose', 'pick',
    'put in', 'i want', "i'd like", 'i would like', 'we want', "we'd like", 'try', 'fill', 'type in', 'write in', 'give me', 'print', 'switch to', 'change to',
    'run with',
  ],
  asOrFor: ['as', 'for', 'in', 'into', 'on', 'as the new', 'as the text of', 'as the text for', 'in place of'],
  instead: ['instead of', 'rather than', 'in place of', 'not', 'and not'],
  make: ['make', 'have', 'let', 'get'],
  rename: ['rename', 'retitle', 'relabel', 'title', 'call', 'name', 'rechristen', 're title', 're name', 'entitle', 'head'],
  renames: ['rename', 'retitle', 'relabel', 'title', 'call', 'name', 'reword', 'rewrite', 'set', 'change', 'update', 'edit', 'replace'],
  add: [
    'add', 'insert', 'create', 'include', 'append', 'give me', 'i need', 'drop in', 'put in', 'add in', 'i want', "i'd like",
    'i would like', 'we need', 'we want', "we'd like", 'slot in', 'pop in', 'stick in', 'throw in', 'squeeze in', 'slip in',
    'attach', 'tack on', "i'd like to have", 'i would like to have', 'i want to have', 'introduce', 'set up', 'add on', 'work in',
    'let me have', 'let us have', 'bring in', 'prepend',
  ],
  addBlock: [
    'add', 'insert', 'create', 'include', 'append', 'drop in', 'build', 'put in', 'add in', 'set up', 'slot in', 'pop in', 'stick in', 'throw in', 'squeeze in',
    'slip in',
    'attach', 'tack on', 'introduce', 'bring in', 'add on', 'work in',
  ],
  wish: [
    'give me', 'i need', 'i want', "i'd like", 'i would like', 'we need', "i'd like to have", 'we want', "we'd like", 'we would like', 'i would like to have',
    'i want to have', 'we should have', "we'd like to have", "i'd love", "i'd like to see", 'i want to see', 'let us have', 'let me have', 'there should be',
    'there must be', 'there needs to be', 'we could use',
    'i could use', 'this page needs', 'the page needs', 'this page should have', 'the page should have', 'this page could use', 'i also need', 'i also want',
    'we also need', 'we also want',
  ],
  put: ['put', 'place', 'stick', 'pop', 'throw', 'squeeze', 'slot', 'slip', 'tuck', 'drop', 'position'],
  create: [
    'create', 'add', 'make', 'build', 'generate', 'start', 'draft', 'set up', 'i want', "i'd like", 'i would like', 'i need',
    'we need', 'give me', 'we want', "we'd like", 'we would like', 'make me', 'create me', 'build me', 'give us', "i'd like to have", 'i want to have', 'set me up',
    'prepare', 'insert', 'introduce', 'make us', 'build us', 'put in',
  ],
  remove: [
    'remove', 'delete', 'drop', 'erase', 'rm', 'take out', 'take away', 'get rid of', 'kick out', 'throw out', 'cut', 'trash', 'scrap', 'bin', 'ditch', 'axe',
    'kill', 'nuke',
    'chuck', 'chuck out', 'toss', 'toss out', 'lose', 'dump', 'discard', 'eliminate', 'wipe', 'zap', 'do away with', 'strike', 'cut out', 'take off', 'take down',
    'throw away', 'del',
    'clear away', 'clear out', 'pull out', 'dispose of', 'strip out', 'remove completely', 'completely remove', 'delete completely', 'withdraw',
  ],
  away: ['away', 'out', 'off', 'down', 'out again', 'off again', 'away again', 'away completely'],
  removed: ['removed', 'deleted', 'dropped', 'erased', 'taken out', 'taken away', 'scrapped', 'binned', 'taken down', 'cut', 'thrown out', 'gone', 'taken off'],
  removePage: [
    'delete', 'remove', 'drop', 'erase', 'take down', 'trash', 'get rid of', 'bin', 'scrap', 'ditch', 'kill', 'axe', 'nuke', 'do away with', 'throw away',
    'throw out', 'dump', 'discard', 'eliminate', 'take out', 'take away', 'unlist',
  ],
  cut: [
    'remove', 'delete', 'drop', 'strip', 'cut', 'take out', 'strike', 'erase', 'strike out', 'cut out', 'get rid of', 'take away', 'lose', 'scrap', 'cross out',
    'leave out', 'scratch', 'strip out', 'omit', 'trim',
  ],
  clear: [
    'clear', 'empty', 'blank', 'blank out', 'remove', 'delete', 'drop', 'unset', 'get rid of', 'clear out', 'take out', 'take away', 'erase', 'scrap', 'ditch',
    'wipe', 'lose', 'bin', 'take off', 'strip', 'cut', 'kill', 'do away with',
    'throw out', 'discard', 'dump', 'trash', 'eliminate', 'reset', 'empty out', 'strike',
  ],
  /** Before something that nobody wants any more. */
  notNeeded: [
    'we no longer need', "we don't need", 'we do not need', 'i no longer need', "i don't need", 'i do not need', 'we can do without', 'i can do without',
    'we have no use for', "we don't want",
    'we no longer want', "i don't want", 'i no longer want', 'nobody needs', 'no one needs', "we don't like", "i don't like", 'we have no need for', 'you can drop',
    "we won't need",
  ],
  needsNo: [
    "doesn't need", 'does not need', 'no longer needs', 'can do without', 'needs no', "shouldn't have", 'should not have', 'should have no', 'must not have',
    'should no longer have',
  ],
  anymore: ['anymore', 'any more', 'any longer', 'now', 'at all'],
  copy: [
    'duplicate', 'copy', 'clone', 'repeat', 'make a copy of', 'make a duplicate of', 'create a copy of', 'create a duplicate of', 'i need a copy of',
    'i want a copy of', "i'd like a copy of", 'we need a copy of',
    'give me a copy of', 'make me a copy of', 'have a copy of', 'get a copy of', 'make another copy of', 'replicate', 'add a copy of', 'make a clone of',
    'put a copy of', 'insert a copy of', 'i would like a copy of', 'a copy of',
    'place a copy of', 'add a duplicate of', 'i need a duplicate of', 'create a clone of', 'show a copy of',
  ],
  theCopy: ['the copy', 'the duplicate', 'the clone', 'the new one', 'that copy', 'its copy', 'this copy'],
  move: [
    'move', 'put', 'place', 'shift', 'bring', 'send', 'drag', 'relocate', 'position', 'reorder', 'push', 'pull', 'shove', 'slide', 'transfer', 'rearrange', 'stick',
    'pop', 'tuck', 'drop', 'lift', 'bump', 'get', 'switch',
    'carry', 'hoist', 'set', 'nudge', 'raise', 'lower',
  ],
  showAt: ['see', 'show', 'display', 'have', 'list', 'keep', 'let', 'make'],
  takes: ['take', 'grab', 'pick', 'pick up', 'get'],
  shouldMove: [
    ...combined(modals, [
      'come', 'go', 'be', 'sit', 'move', 'stand', 'appear', 'be moved', 'be placed', 'show up', 'be shown', 'be put', 'be positioned', 'live', 'land', 'end up',
      'be displayed', 'be located', 'be listed',
    ]),
    'belongs', 'belong', 'now goes', 'now comes',
  ],
  standing: ['is', 'sits', 'comes', 'goes', 'stands', 'appears', 'ends up', 'lands', 'is placed', 'is shown', 'follows', 'becomes'],
  order: ['the order', 'the places', 'the positions', 'places', 'positions', 'the place', 'the position', 'the sequence', 'the order and position'],
  swap: ['swap', 'switch', 'exchange', 'flip', 'trade', 'interchange', 'swap around', 'switch around', 'reverse', 'swap round', 'invert'],
  around: ['around', 'round', 'with each other', 'over', 'places', 'positions'],
  replace: [
    'replace', 'change', 'swap', 'update', 'correct', 'fix', 'substitute', 'exchange', 'switch', 'turn', 'swap out', 'amend', 'edit', 'alter', 'rewrite',
    'find and replace', 'search and replace', 'modify',
  ],
  bits: [
    'the word', 'the words', 'the phrase', 'the text', 'the typo', 'all', 'every', 'all occurrences of', 'every occurrence of', 'the name',
    'each', 'all the', 'every instance of', 'all instances of', 'the term', 'the expression', 'the phrases', 'the bit', 'the part', 'the string', 'the letters',
    'the number', 'the year', 'any',
    'any mention of', 'every mention of', 'all mentions of', 'every', 'the date', 'the sentence', 'the words', 'each occurrence of', 'the first name', 'the passage',
    'the wording', 'the misspelled',
    'the misspelled word', 'the misspelling', 'the misspelt word', 'the typing error', 'the line',
  ],
  link: ['link', 'point', 'connect', 'direct', 'send', 'redirect', 'aim', 'hook up', 'wire', 'route', 'lead', 'relink', 'repoint', 'hook'],
  show: [
    'use', 'show', 'set', 'make', 'display', 'have', 'give', 'put', 'change', 'arrange', 'lay', 'lay out', 'spread', 'organize', 'split', 'switch', 'let', 'render',
    'turn', 'present', 'layout',
    'organise', 'distribute', 'align', 'go with', 'go for', 'i want', "i'd like", 'get', 'order', 'i would like', 'we want', 'place',
  ],
  want: [
    'i want', "i'd like", 'i would like', 'we want', "we'd like", 'i need', "i'd rather have", 'i would rather have', "i'd prefer", 'i prefer', 'i would prefer',
    "i'd love", "i'd prefer to have", "i'd like to have",
    'i would like to have', "i'd like to see", 'i want to see', 'i want to have', "we'd rather have", "we'd prefer", 'we need', "we'd like to see", "i'd rather see",
    'i would like to see',
  ],
  enable: ['turn on', 'switch on', 'enable', 'activate'],
  disable: ['turn off', 'switch off', 'disable', 'deactivate', 'shut off'],
  keep: ['keep', 'leave', 'retain', "don't touch", 'do not touch', "don't change", 'do not change', 'preserve'],
  /** What people ask of somebody who can write. */
  otherVerb: [
    'translate', 'write', 'improve', 'shorten', 'generate', 'undo', 'redo', 'publish', 'explain', 'check', 'tell', 'summarize', 'expand',
    'convert', 'hide', 'align', 'center', 'format', 'style', 'resize', 'sort', 'merge', 'split', 'enable', 'disable', 'let', 'keep', 'leave',
  ],
  anyVerb: [
    'set', 'change', 'update', 'edit', 'modify', 'add', 'insert', 'create', 'remove', 'delete', 'move', 'rename', 'duplicate', 'copy',
    'replace', 'swap', 'clear',
  ],

  // Options
  image: ['image', 'photo', 'picture', 'pic', 'photograph', 'illustration', 'visual'],
  copyText: ['text', 'copy', 'content', 'texts', 'wording', 'words'],
  placed: [
    'put', 'place', 'move', 'set', 'show', 'align', 'position', 'shift', 'have', 'make', 'bring', 'switch', 'change', 'keep', 'display', 'stick', 'get', 'push',
    'let', 'pull', 'flip', 'turn',
    'i want', "i'd like", 'i would like', 'we want', "i'd prefer", 'swap', 'justify', 'slide', 'drag', "i'd like to have", "i'd rather have",
  ],
  left: ['left', 'left side', 'left hand side'],
  right: ['right', 'right side', 'right hand side'],
  full: [
    'full', 'full width', 'to full width', 'fill the full width', 'fill the whole width', 'fill the entire width', 'span the full width',
    'span the whole width', 'take up the full width', 'take the full width', 'use the full width', 'cover the full width', 'across the full width',
    'over the full width', 'as wide as the page', 'over the whole width', 'across the whole width', 'to the full width', 'cover the whole width',
    'use the whole width', 'go full width', 'be full width',
  ],
  center: ['center', 'centre', 'centered', 'centred', 'middle'],
  otherSide: [
    'on the other side', 'to the other side', 'on the opposite side', 'to the opposite side', 'over to the other side', 'over on the other side',
    'onto the other side',
  ],
  mirror: ['swap', 'flip', 'reverse', 'switch', 'exchange', 'mirror', 'swap around', 'trade', 'switch around', 'swap over', 'interchange'],
  columns: ['column', 'columns', 'columns wide', 'cols', 'columns per row', 'columns across', 'column layout'],
  perRow: ['per row', 'in a row', 'next to each other', 'side by side', 'in each row', 'abreast', 'across', 'per line', 'in one row'],
  look: ['variant', 'style', 'banner', 'type', 'layout', 'look', 'one', 'color scheme', 'design', 'version', 'mode'],
  upper: [
    'uppercase', 'upper case', 'all caps', 'capital letters', 'all uppercase', 'capitals', 'caps', 'all capitals', 'all capital letters', 'uppercase letters',
    'upper case letters', 'block letters', 'block capitals',
  ],
  lower: ['lowercase', 'lower case', 'all lowercase', 'small letters', 'all lower case', 'lowercase letters', 'lower case letters', 'all small letters'],
  titleCase: ['title case', 'titlecase', 'title caps'],

  // Places
  front: [
    'at the top', 'to the top', 'at the very top', 'to the very top', 'on top', 'first', 'at the start', 'at the beginning', 'at the front',
    'to the start', 'to the beginning', 'to the front', 'to the very beginning', 'at the very start', 'at the very beginning', 'top',
    'to the very front', 'all the way up', 'all the way to the top', 'to the very start', 'before everything else', 'to the first position',
    'to the first place', 'in first place', 'in the first position', 'at the head',
  ],
  end: [
    'at the bottom', 'to the bottom', 'at the very bottom', 'to the very bottom', 'last', 'at the end', 'to the end', 'at the very end',
    'to the very end', 'all the way down', 'all the way to the bottom', 'to the last position', 'to the last place', 'bottom', 'in last place',
  ],
  before: ['before', 'above', 'over', 'ahead of', 'in front of', 'on top of'],
  after: ['after', 'below', 'under', 'underneath', 'beneath', 'behind', 'following'],
  near: ['right', 'directly', 'just', 'immediately', 'to right', 'straight'],
  up: ['up', 'higher', 'upwards', 'further up', 'upward'],
  down: ['down', 'lower', 'downwards', 'further down', 'downward'],
  places: ['place', 'places', 'position', 'positions', 'spot', 'spots', 'step', 'steps', 'section', 'sections', 'slot', 'slots'],
  position: ['position', 'place', 'spot', 'slot'],

  // Pages, menus, what machines read
  site: ['site', 'website', 'web site', 'whole site', 'whole website'],
  menu: [
    'menu', 'nav', 'navigation', 'header', 'navigation bar', 'navbar', 'nav bar', 'main menu', 'main navigation', 'top menu', 'site menu', 'top navigation',
    'menu bar', 'navigation menu', 'site navigation', 'top nav', 'nav menu',
  ],
  menuEntry: [
    'link', 'tab', 'menu item', 'nav item', 'navigation item', 'menu entry', 'nav link', 'menu link', 'navigation link', 'menu label', 'navigation entry',
    'nav entry', 'entry', 'navigation label', 'nav label', 'menu link text', 'item', 'menu tab', 'menu name',
  ],
  group: ['group', 'put', 'move', 'place', 'bundle', 'collect', 'combine', 'gather', 'nest', 'stick', 'show', 'tuck', 'collapse', 'file'],
  dropdown: [
    'menu', 'dropdown', 'drop down', 'group', 'menu group', 'dropdown menu', 'drop down menu', 'submenu', 'sub menu', 'heading', 'menu item', 'folder', 'menu entry',
  ],
  slug: ['slug', 'path', 'url', 'address', 'web address', 'link'],
  pageSlug: ['slug', 'path'],
  atAddress: [
    'at', 'with the address', 'with address', 'with the url', 'with url', 'at the address', 'at the url', 'under', 'with the slug', 'with slug', 'with the path',
    'at the path', 'available at', 'reachable at', 'under the address', 'found at',
  ],
  containing: [
    'with', 'including', 'containing', 'that has', 'which has', 'consisting of', 'that contains', 'made of', 'having', 'that includes', 'featuring',
    'that consists of', 'made up of', ', with', ', containing',
  ],
  logo: ['logo', 'logo image', 'logotype', 'brand logo', 'company logo'],
  courtesy: ['please', ', please', ', please ,', 'please ,', 'pls'],
  mustLose: ['should lose', 'should not contain', 'should no longer contain', 'should not include', 'should no longer say', 'should no longer include'],
  blankPage: [
    'new', 'blank', 'empty', 'landing', 'new blank', 'new empty', 'fresh', 'separate', 'brand new', 'extra', 'additional', 'simple', 'second', 'plain', 'bare',
    'completely new', 'further',
  ],
  metaTitle: [
    'seo title', 'meta title', 'search title', 'browser title', 'title for search engines', 'page title for search engines', 'search engine title',
    'google title', 'title for google', 'title tag', 'browser tab title', 'tab title', 'html title', 'title in search results', 'title for seo',
    'seo page title',
  ],
  metaDescription: [
    'meta description', 'seo description', 'page description', 'search description', 'description for search engines',
    'page description for search engines', 'search engine description', 'google description', 'description for google', 'seo text',
    'description in search results', 'meta text', 'description for seo', 'description tag', 'meta description tag', 'search snippet',
    'search result description', 'seo meta description', 'meta desc',
  ],
  metaImage: [
    'og image', 'open graph image', 'social image', 'share image', 'social media image', 'sharing image', 'og picture', 'social picture',
    'social preview image', 'preview image', 'link preview image', 'share picture', 'social card image', 'opengraph image', 'social media picture',
    'facebook image', 'social sharing image', 'image for social media', 'open graph picture', 'social photo', 'twitter image', 'og img', 'share photo',
  ],
  metaAll: ['metadata', 'meta data', 'meta tags', 'meta tag', 'seo metadata', 'seo tags'],
}
