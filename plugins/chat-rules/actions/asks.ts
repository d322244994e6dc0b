import { labelOf } from '../../content/fields.ts'
import type { Noun } from '../frame/nouns.ts'
import { findBlock } from '../resolve/blocks.ts'
import { findField, findOwner } from '../resolve/fields.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, unfit } from '../work/ask.ts'
import type { Work } from '../work/work.ts'
import type { Action, Parts } from './action.ts'

/** Something is to stay as it is; whether it does is known at the end. */
function keep(work: Work, { objects }: Parts): Work {
  return { ...work, kept: [...work.kept, ...objects.map((noun) => (noun.kind === 'field' ? findField(work, noun) : findBlock(work, noun)))] }
}

/** The action is understood and a text is missing; what is named has to be there. */
function missingValue(work: Work, { object, objects, verbs }: Parts): Work {
  const { texts, language: { joints } } = work.scene
  if (object.isNew || objects.length !== 1) return unfit('this is not there yet')
  if (object.kind === 'field' || object.kind === 'thisText') {
    const { name, meta } = findField(work, object)
    return ask(meta.kind === 'image' ? texts.wantsImage(labelOf(name, meta)) : texts.missingValue, { joint: joints.value })
  }
  const isText = ['meta', 'siteName', 'pageTitle', 'slug', 'logo'].includes(object.kind)
  if (!isText) find(work, object)
  const isName = verbs.includes('rename') && !verbs.includes('edit')
  return isText || isName ? ask(texts.missingValue, { joint: joints.value }) : ask(texts.missingField)
}

function missingPlace(work: Work, { object }: Parts): Work {
  if (object.isNew) return unfit('this is not there yet')
  find(work, object)
  return ask(work.scene.texts.missingPlace, { joint: work.scene.language.joints.place })
}

function find(work: Work, noun: Noun): void {
  if (noun.kind === 'page') findPage(work, noun)
  else if (noun.kind === 'block' || noun.kind === 'section') findBlock(work, noun)
  else if (noun.kind === 'field') findField(work, noun)
  else findOwner(work, noun)
}

const missingKind = (work: Work, { object: { kind, isNew, count, owner } }: Parts): Work =>
  (kind === 'section' && (isNew || count !== undefined) && !owner ? ask(work.scene.texts.missingBlock) : unfit('no new section is meant'))

/** `change the image to a sunset`: an image needs an address. */
function wrongValue(work: Work, { object }: Parts): Work {
  if (object.kind !== 'field') return unfit('no field is meant')
  const { name, meta } = findField(work, object)
  return meta.kind === 'image' ? ask(work.scene.texts.wantsImage(labelOf(name, meta))) : unfit('not an image')
}

export const askingActions: readonly Action[] = [
  { verbs: ['keep'], roles: 'object+ unchanged @in?', isStatement: true, does: keep },
  { verbs: ['set', 'rename', 'edit'], roles: 'object @in?', does: missingValue },
  { verbs: ['move'], roles: 'object @in?', does: missingPlace },
  { verbs: ['add'], roles: 'object in? to? place?', does: missingKind },
  { verbs: ['set', 'replace'], roles: 'object value @in?', does: wrongValue },
]
