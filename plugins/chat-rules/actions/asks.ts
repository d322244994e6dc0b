import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/noun.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField, findOwner } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, reject } from '../work/ask.ts'
import type { Work } from '../work/work.ts'
import type { Action, Parts } from './action.ts'

/** Records what must stay unchanged; checked at the end. */
function keepUnchanged(work: Work, { objects }: Parts): Work {
  return { ...work, unchangedTargets: [...work.unchangedTargets, ...objects.map((noun) => (noun.kind === 'field' ? findField(work, noun) : findBlock(work, noun)))] }
}

/** Asks for the missing value; the object has to exist. */
function missingValue(work: Work, { object, objects, verbs }: Parts): Work {
  const { texts, language: { joints } } = work.context
  if (object.isNew || objects.length !== 1) return reject('does not exist yet')
  if (object.kind === 'field' || object.kind === 'thisText') {
    const { name, meta } = findField(work, object)
    return ask(meta.kind === 'image' ? texts.wantsImage(labelOf(name, meta)) : texts.missingValue, { joint: joints.value })
  }
  const isText = ['meta', 'siteName', 'pageTitle', 'slug', 'logo'].includes(object.kind)
  if (!isText) requireExists(work, object)
  const isName = verbs.includes('rename') && !verbs.includes('edit')
  return isText || isName ? ask(texts.missingValue, { joint: joints.value }) : ask(texts.missingField)
}

function missingPlace(work: Work, { object }: Parts): Work {
  if (object.isNew) return reject('does not exist yet')
  requireExists(work, object)
  return ask(work.context.texts.missingPlace, { joint: work.context.language.joints.place })
}

function requireExists(work: Work, noun: Noun): void {
  if (noun.kind === 'page') findPage(work, noun)
  else if (noun.kind === 'block' || noun.kind === 'section') findBlock(work, noun)
  else if (noun.kind === 'field') findField(work, noun)
  else findOwner(work, noun)
}

const missingKind = (work: Work, { object: { kind, isNew, count, owner } }: Parts): Work =>
  (kind === 'section' && (isNew || count !== undefined) && !owner ? ask(work.context.texts.missingBlock) : reject('not a new section'))

/** `change the image to a sunset`: an image needs an address. */
function wrongValue(work: Work, { object }: Parts): Work {
  if (object.kind !== 'field') return reject('not a field')
  const { name, meta } = findField(work, object)
  return meta.kind === 'image' ? ask(work.context.texts.wantsImage(labelOf(name, meta))) : reject('not an image')
}

export const askingActions: readonly Action[] = [
  { verbs: ['keep'], roles: 'object+ unchanged @in?', isStatement: true, run: keepUnchanged },
  { verbs: ['set', 'rename', 'edit'], roles: 'object @in?', run: missingValue },
  { verbs: ['move'], roles: 'object @in?', run: missingPlace },
  { verbs: ['add'], roles: 'object in? to? place?', run: missingKind },
  { verbs: ['set', 'replace'], roles: 'object value @in?', run: wrongValue },
]
