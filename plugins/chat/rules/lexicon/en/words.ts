import type { Lexicon } from '../lexicon.ts'

/** Sentences in English: words by what they do. */
export const words: Lexicon['words'] = {
  // Around a request
  leadIn: [
    'please', 'kindly', 'pls', 'hey', 'hi', 'hello', 'ok', 'okay', 'so', 'now', 'just', 'also', 'then', 'next', 'and', 'great',
    'thanks', "let 's", 'go ahead and', 'i want to', "i'd like to", "i'd like you to", 'i would like to', 'i would like you to',
    'i need you to', 'i want you to', 'i need to',
  ],
  polite: [
    'can you', 'could you', 'would you', 'will you', 'can we', 'could we', 'can i', 'could i', 'would you mind', 'will we',
  ],
  tail: ['please', 'pls', 'thanks', 'thank you', 'thx'],
  filler: ['please', 'kindly', 'pls', 'also', 'then', 'now', 'just', 'finally', 'next'],
  questionWord: [
    'what', 'which', 'where', 'when', 'why', 'who', 'whose', 'how', 'is', 'are', 'was', 'were', 'do', 'does', 'did', 'should',
    'would', 'could', 'can', 'may', 'am', 'has', 'will',
  ],
  /** How an answer begins that confirms or corrects. */
  reply: ['yes', 'yep', 'no', 'nope', 'not', 'i mean', 'i meant', 'sorry', 'rather', 'exactly', 'correct', 'both', 'neither', 'none'],
  conditional: ['if', 'unless', 'whenever', 'in case'],
  connector: ['and', 'then', 'also', 'plus', '&', ',', ';', '.'],
  join: [',', 'and', ', and', '&', 'plus', 'as well as'],
  notName: [
    'a', 'an', 'the', 'this', 'that', 'my', 'our', 'your', 'its', 'their', 'to', 'of', 'on', 'in', 'at', 'from', 'with', 'and', 'or',
    'new', 'current', 'page', 'pages', 'first', 'last', 'i', 'it', 'is', 'was', 'not', "don't", 'whole', 'entire',
    'every', 'each', 'all', 'any', 'some', 'no', 'called', 'named', 'titled', 'section', 'block', 'like', 'less', 'more', 'about',
    'blank', 'empty', 'other', 'wrong', 'right', 'top', 'bottom', 'same', 'both', 'which', 'what', 'better', 'nice', 'nicer',
    'great', 'good', 'cool', 'by', 'as', 'into', 'so', 'but', 'if',
  ],

  // Before and after names
  det: ['the', 'a', 'an', 'my', 'our', 'your', 'its', 'their', 'this', 'that', 'existing', 'current', 'new'],
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
  called: ['called', 'named', 'titled', 'headed', 'entitled', 'with the title', 'with the heading', 'with title'],
  home: [
    'home page', 'homepage', 'start page', 'front page', 'home', 'landing page',
  ],
  thisPage: ['this page', 'the page', 'the current page', 'current page', 'our page', 'here'],
  all: ['all', 'every', 'each', 'all the', 'all of the', 'all our', 'all my'],
  both: ['both', 'both the', 'both of the'],
  everything: ['everything', 'all sections', 'all blocks', 'all the sections', 'all the blocks', 'every section', 'every block'],
  everywhere: [
    'everywhere', 'on all pages', 'on every page', 'across all pages', 'across the site', 'across the whole site',
    'on the whole site', 'throughout the site', 'on each page', 'in all pages', 'site wide', 'all over the site',
  ],
  except: ['except', 'except for', 'but', 'but not', 'other than', 'apart from'],

  // Little words between slots
  to: ['to', 'to say', 'to read', 'as', 'into', 'with', 'by', ':', '=', '→', 'so it says', 'so that it says', 'so it reads'],
  by: ['with', 'by', 'to', 'for', 'into', '→'],
  of: ['of', 'in', 'on', 'for', 'from', 'inside', 'within', 'under'],
  ofRow: ['of', 'in', 'for', 'to', 'on', 'from'],
  on: ['on', 'of', 'in', 'from', 'at', 'for'],
  onto: ['to', 'on', 'onto', 'in', 'into', 'at', 'for'],
  into: ['to', 'in', 'into', 'on', 'at', 'for', 'of'],
  inside: ['in', 'on', 'for', 'inside', 'within', 'under'],
  says: ['say', 'read', 'be', 'show'],
  should: [
    'should say', 'should read', 'should be', 'must say', 'must read', 'must be', 'needs to say', 'needs to be', 'needs to read',
    'has to say', 'has to be', 'becomes', 'should now say', 'should now be', 'should now read', 'ought to say', 'ought to be',
    'shall be', 'shall say', 'is now', 'should become',
  ],
  shouldGo: [
    'should go to', 'should link to', 'should point to', 'should open', 'should lead to', 'must link to', 'must go to',
    'should point at', 'should take people to', 'needs to link to', 'has to link to', 'should take visitors to',
  ],
  goTo: ['go to', 'link to', 'open', 'point to', 'point at', 'lead to', 'links to', 'take people to', 'take visitors to'],
  copula: ['be', 'is', 'becomes', 'become', 'now'],
  unchanged: ['unchanged', 'as is', 'as it is', 'as they are', 'the same', 'alone', 'intact', 'untouched'],

  // Verbs
  set: [
    'set', 'change', 'update', 'edit', 'modify', 'make', 'switch', 'turn', 'rewrite', 'reword', 'rename', 'relabel', 'retitle',
    'adjust', 'replace', 'swap', 'put',
  ],
  edit: ['update', 'edit', 'change'],
  changes: ['set', 'change', 'update', 'replace', 'make', 'switch', 'edit', 'put'],
  make: ['make', 'have', 'let', 'get'],
  rename: ['rename', 'retitle', 'relabel', 'title', 'call', 'name'],
  renames: ['rename', 'retitle', 'relabel', 'title', 'call', 'name', 'reword', 'rewrite', 'set', 'change', 'update', 'edit', 'replace'],
  add: [
    'add', 'insert', 'create', 'include', 'append', 'put', 'give me', 'i need', 'drop in', 'put in', 'add in', 'i want', "i'd like",
    'i would like', 'place',
  ],
  addBlock: [
    'add', 'insert', 'create', 'include', 'append', 'drop in', 'build', 'put in', 'add in', 'set up',
  ],
  wish: ['give me', 'i need', 'i want', "i'd like", 'i would like', 'we need', "i'd like to have"],
  put: ['put', 'place'],
  create: [
    'create', 'add', 'make', 'build', 'generate', 'start', 'draft', 'set up', 'i want', "i'd like", 'i would like', 'i need',
    'we need', 'give me',
  ],
  remove: ['remove', 'delete', 'drop', 'erase', 'rm', 'take out', 'take away', 'get rid of', 'kick out', 'throw out', 'cut', 'trash'],
  removePage: ['delete', 'remove', 'drop', 'erase', 'take down', 'trash', 'get rid of'],
  cut: ['remove', 'delete', 'drop', 'strip', 'cut', 'take out'],
  clear: ['clear', 'empty', 'blank', 'blank out', 'remove', 'delete', 'drop', 'unset', 'get rid of', 'clear out', 'take out'],
  copy: ['duplicate', 'copy', 'clone', 'repeat', 'make a copy of', 'make a duplicate of', 'create a copy of'],
  move: ['move', 'put', 'place', 'shift', 'bring', 'send', 'drag', 'relocate', 'position', 'reorder'],
  shouldMove: ['should come', 'should go', 'should be', 'should sit', 'should move', 'must come', 'must go', 'belongs', 'should stand', 'should appear'],
  swap: ['swap', 'switch', 'exchange'],
  replace: ['replace', 'change', 'swap', 'update', 'correct', 'fix'],
  bits: [
    'the word', 'the words', 'the phrase', 'the text', 'the typo', 'all', 'every', 'all occurrences of', 'every occurrence of', 'the name',
    'each', 'all the', 'every instance of', 'all instances of', 'the term',
  ],
  link: ['link', 'point', 'connect', 'direct', 'send'],
  show: ['use', 'show', 'set', 'make', 'display', 'have', 'give', 'put', 'change', 'arrange'],
  want: ['i want', "i'd like", 'i would like', 'we want', "we'd like", 'i need'],
  enable: ['turn on', 'switch on', 'enable', 'activate'],
  disable: ['turn off', 'switch off', 'disable', 'deactivate'],
  keep: ['keep', 'leave'],
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
  image: ['image', 'photo', 'picture'],
  copyText: ['text', 'copy', 'content'],
  placed: [
    'put', 'place', 'move', 'set', 'show', 'align', 'position', 'shift', 'have', 'make', 'bring', 'switch', 'change', 'keep',
  ],
  left: ['left', 'left side', 'left hand side'],
  right: ['right', 'right side', 'right hand side'],
  full: ['full', 'full width'],
  center: ['center', 'centre', 'centered', 'centred', 'middle'],
  mirror: ['swap', 'flip', 'reverse', 'switch', 'exchange'],
  columns: ['column', 'columns', 'columns wide', 'cols'],
  look: ['variant', 'style', 'banner', 'type', 'layout', 'look'],
  upper: ['uppercase', 'upper case', 'all caps', 'capital letters', 'all uppercase'],
  lower: ['lowercase', 'lower case', 'all lowercase', 'small letters'],
  titleCase: ['title case', 'titlecase'],

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
  site: ['site', 'website', 'web site'],
  menu: ['menu', 'nav', 'navigation', 'header', 'navigation bar', 'navbar', 'nav bar', 'main menu'],
  menuEntry: ['link', 'tab', 'menu item', 'nav item', 'navigation item', 'menu entry', 'nav link', 'menu link', 'navigation link', 'menu label'],
  group: ['group', 'put', 'move', 'place', 'bundle'],
  dropdown: ['menu', 'dropdown', 'drop down', 'group', 'menu group'],
  blankPage: ['new', 'blank', 'empty', 'landing', 'new blank', 'new empty', 'fresh', 'separate'],
  metaTitle: ['seo title', 'meta title', 'search title', 'browser title'],
  metaDescription: ['meta description', 'seo description', 'page description', 'search description'],
  metaImage: ['og image', 'open graph image', 'social image', 'share image', 'social media image', 'sharing image'],
  metaAll: ['metadata', 'meta data', 'meta tags', 'meta tag', 'seo metadata', 'seo tags'],
}
