import { defineRoutes, gates } from '../../kernel/index.ts'
import {
  alreadyUndone,
  changedSince,
  changeHeaders,
  changeRefusals,
  noSuchVersion,
  notRestorable,
  nothingToRedo,
  nothingToUndo,
} from '../draft/port.ts'
import {
  baselineUnavailable,
  blockWithoutPage,
  noSuchBlock,
  notAnywhere,
  nothingToDiscard,
} from './refusals.ts'
import {
  DiscardBody,
  Log,
  LogQuery,
  PageAt,
  PageQuery,
  RestoreBody,
  UndoChangeBody,
  StatusQuery,
  NamedSteps,
  StepTaken,
  Target,
} from './schemas.ts'

const changing = { gate: gates.access, headers: changeHeaders, replies: { 200: StepTaken } } as const

export const routes = defineRoutes({
  status: {
    method: 'GET',
    path: '/history/status',
    gate: gates.access,
    summary: 'Reports whether a page has changes to undo or redo.',
    query: StatusQuery,
    replies: { 200: NamedSteps },
  },
  log: {
    method: 'GET',
    path: '/history/log',
    gate: gates.access,
    summary: 'Lists the newest changes of a draft, oldest first.',
    query: LogQuery,
    replies: { 200: Log },
  },
  page: {
    method: 'GET',
    path: '/history/page',
    gate: gates.access,
    summary: 'Returns a page right before and right after a logged version.',
    query: PageQuery,
    replies: { 200: PageAt },
    refusals: [noSuchVersion],
  },
  undo: {
    ...changing,
    method: 'POST',
    path: '/history/undo',
    summary: 'Undoes the latest change to a page.',
    body: Target,
    refusals: [nothingToUndo, ...changeRefusals],
  },
  redo: {
    ...changing,
    method: 'POST',
    path: '/history/redo',
    summary: 'Redoes the change that was undone last.',
    body: Target,
    refusals: [nothingToRedo, ...changeRefusals],
  },
  undoChange: {
    ...changing,
    method: 'POST',
    path: '/history/undo-change',
    summary: 'Undoes one logged change, which need not be the newest.',
    body: UndoChangeBody,
    refusals: [alreadyUndone, notRestorable, noSuchVersion, changedSince, ...changeRefusals],
  },
  restore: {
    ...changing,
    method: 'POST',
    path: '/history/restore',
    summary: 'Restores a page to its state after a logged version.',
    body: RestoreBody,
    refusals: [notRestorable, noSuchVersion, ...changeRefusals],
  },
  discard: {
    ...changing,
    method: 'POST',
    path: '/history/discard',
    summary: 'Resets a field, a block, a page, or all pages, to what is published.',
    body: DiscardBody,
    refusals: [
      nothingToDiscard,
      blockWithoutPage,
      notAnywhere,
      noSuchBlock,
      baselineUnavailable,
      ...changeRefusals,
    ],
  },
})
