import { type Language, list } from './language.ts'

/** Imperatives, polite requests and infinitives; a `+` parts a verb from its particle. */
export const verbs: Language['verbs'] = [
  [['set', 'replace', 'edit'], list(`ändere, ändre, änder, ändern, ändern sie, ändere + ab, abändern, aktualisiere, aktualisieren, bearbeite, bearbeiten, verändere, verändern, korrigiere,
    korrigieren, überarbeite, überarbeiten, formuliere + um, umformulieren, passe + an, pass + an, anpassen, schreibe + um, schreib + um, umschreiben, ändere + um, wandle + um, umwandeln`)],
  [['replace', 'set'], list('ersetze, ersetz, ersetzen, ersetzen sie, überschreibe, tausche + aus, tausch + aus, austauschen, wechsle + aus')],
  [['set', 'move', 'put', 'show', 'use'], list('setze, setz, setzen, setzen sie, stelle, stell, stellen, stelle + um, stell + um, umstellen, stelle + ein, einstellen, lege + fest')],
  [['set', 'case', 'show', 'align'], list('mache, mach, machen, gestalte, schreibe, schreib, schreiben')],
  [['rename', 'set'], list(`benenne + um, benenn + um, umbenennen, nenne + um, nenn + um, taufe + um, tauf + um, nenne, nenn, nennen, betitle, betiteln, beschrifte, beschriften,
    benennen sie + um`)],
  [['use'], list(`verwende, verwenden, verwenden sie, nutze, nutzen, benutze, nimm, nehmen, schreibe, schreib, schreiben, trage + ein, trag + ein, eintragen, schreibe + rein,
    schreib + rein, füge + ein, füg + ein, einfügen, gib, gebt`)],
  [['append'], list('füge + hinzu, füg + hinzu, hinzufügen, hänge + an, häng + an, anhängen, füge + an, ergänze, ergänzen')],
  [['prepend'], list('stelle + voran, stell + voran, voranstellen')],
  [['remove', 'clear'], list(`lösche, lösch, löschen, löschen sie, entferne, entfern, entfernen, entfernen sie, streiche, streich, streichen, nimm + heraus, nimm + raus, nimm + weg,
    herausnehmen, wegnehmen, rausnehmen, wirf + raus, rauswerfen, schmeiß + raus, mach + weg, lass + weg, weglassen, nehmen sie + heraus`)],
  [['clear'], list('leere, leer, leeren')],
  [['add', 'create'], list(`füge + hinzu, füg + hinzu, hinzufügen, fügen sie + hinzu, füge + ein, füg + ein, einfügen, fügen sie + ein, ergänze, ergänzen, erstelle, erstell, erstellen,
    erstellen sie, baue + ein, bau + ein, einbauen, lege + an, leg + an, anlegen, erzeuge, generiere, setze + ein, setz + ein`)],
  [['create'], list('mache, mach, baue')],
  [['announce', 'add', 'create'], list('neue, neuer, neues, neuen, noch ein, noch eine, noch einen')],
  [['want', 'add', 'create'], list('ich möchte, wir möchten, ich hätte gern, ich hätte gerne, wir hätten gern, ich brauche, wir brauchen, ich will, wir wollen, ich wünsche mir, ich benötige')],
  [['give'], list('gib, gebt, geben sie')],
  [['put', 'move'], list('platziere, platzieren, packe, pack, setze, setz, stelle, stell')],
  [['move'], list(`verschiebe, verschieb, verschieben, verschieben sie, bewege, bewegen, ziehe, zieh, schiebe, schieb, schieben, rücke, rück, bringe, bring, hole, hol, verlege, lege, leg,
    positioniere, zeige, zeig, zeigen, ordne + an, anordnen`)],
  [['swap'], list('tausche, tausch, tauschen, vertausche, vertausch, vertauschen, wechsle')],
  [['mirror'], list('spiegle, spiegeln, tausche, tausch, vertausche, vertauschen')],
  [['copy'], list('dupliziere, duplizier, duplizieren, duplizieren sie, kopiere, kopier, kopieren, verdopple, verdoppeln, klone, klonen, wiederhole, erstelle eine kopie von, mach eine kopie von')],
  [['link'], list('verlinke, verlink, verlinken, verlinken sie, verknüpfe, verknüpfen, richte, leite, lass + zeigen, lass + verlinken')],
  [['show'], list('zeige, zeig, zeigen, verwende, verwenden, nutze, stelle + dar, darstellen')],
  [['enable'], list('aktiviere, aktivieren, schalte + ein, schalt + ein, einschalten, schalte + an, schalt + an')],
  [['disable'], list('deaktiviere, deaktivieren, schalte + aus, schalt + aus, ausschalten, schalte + ab')],
  [['keep'], list('lass, lasse, lassen, behalte, belasse')],
  [['group'], list('gruppiere, gruppieren, fasse + zusammen, fass + zusammen, zusammenfassen, setze, packe, pack, verschiebe')],
  [['align'], list('zentriere, zentrieren, richte + aus, ausrichten')],
]

/** What stands at the end behind `soll`. */
export const duties: Language['duties'] = [
  [['say', 'set', 'rename', 'be'], list('lauten, heißen, sagen, zeigen, stehen, werden zu')],
  [['set', 'be', 'case', 'align', 'show'], list('sein, werden, haben')],
  [['move'], list('kommen, stehen, gehen, rücken, sein, erscheinen, verschoben werden, wandern')],
  [['link'], list('führen, verlinken, zeigen, gehen, leiten, verweisen')],
  [['rename', 'set', 'say'], list('umbenannt werden, genannt werden')],
  [['remove', 'clear'], list('weg, raus, entfernt werden, gelöscht werden, verschwinden, wegfallen')],
]
