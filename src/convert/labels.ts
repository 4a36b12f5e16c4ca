/** How documents call the parts of a story and of themselves, in the languages people write them in. */

export type StoryLabel = 'id' | 'title' | 'description' | 'criteria' | 'depends' | 'checks' | 'priority' | 'status';

const storyLabels: readonly (readonly [StoryLabel, RegExp])[] = [
  ['id', /^(?:story )?id$/],
  ['title', /^(?:title|titel|titre|título|titolo|name|название|标题|タイトル)$/],
  [
    'description',
    /^(?:description|user story|story|as a|summary|beschreibung|nutzergeschichte|descripción|descrição|descrizione|beschrijving|opis|описание|描述|説明)$/,
  ],
  [
    'criteria',
    /^(?:acceptance (?:criteri(?:a|on)|tests?|scenarios?|conditions?|checklist)|criteria|acceptance|acs?|definition of done|dod|done when|akzeptanzkriterien|abnahmekriterien|kriterien|crit[eè]res(?: d['’]acceptation)?|criterios(?: de aceptación)?|critérios(?: de (?:aceitação|aceite))?|criteri(?: di accettazione)?|acceptatiecriteria|kryteria(?: akceptacji)?|kabul kriterleri|критерии(?: при[её]мки)?|验收标准|验收条件|受け入れ(?:基準|条件))$/,
  ],
  [
    'depends',
    /^(?:depends(?: on)?|dependenc(?:y|ies)|blocked by|requires|prerequisites?|needs|voraussetzung(?:en)?|setzt voraus|hängt ab von|abhängig von|abhängigkeit(?:en)?|dépend de|dépendances?|prérequis|depende de|depend[eê]ncias?|dipende da|afhankelijk van|зависит от|зависимости|依赖|前提(?:条件)?|依存(?:関係)?)$/,
  ],
  ['checks', /^(?:checks?|verification commands?|verify commands?|verify with|commands?|prüfbefehle|prüfungen)$/],
  ['priority', /^(?:priority|prio|priorität|priorité|prioridade?|priorità|prioriteit|приоритет|优先级|優先度)$/],
  ['status', /^(?:status|state|passes|done|estado|statut|статус|状态)$/],
];

/** What a label or heading inside a story stands for; undefined for words of the document's own. */
export function findStoryLabel(words: string): StoryLabel | undefined {
  const plain = plainOf(words);
  return storyLabels.find(([, pattern]) => pattern.test(plain))?.[0];
}

export type SectionKind = 'stories' | 'introduction' | 'non-goals' | 'known' | 'other';

const stories =
  /^(?:(?:the )?(?:user )?stor(?:ies|ys)(?:\s*[(&/:–-].*|\s+(?:and|with|for|by|in)\b.*)?|.*\buser stor(?:ies|ys)|user scenarios(?: (?:&|and) testing)?(?:\s*\(.*\))?|tasks?(?: list| breakdown)?|implementation (?:tasks|stories|plan)|work items|backlog|product backlog|benutzergeschichten|nutzergeschichten|anwendergeschichten|aufgaben|historias de usuarios?|tareas|(?:histoires|récits) (?:d['’])?utilisateurs?|tâches|histórias (?:de|do) usuários?|tarefas|storie utente|gebruikersverhalen|пользовательские истории|задачи|用户故事|任务|ユーザーストーリー|タスク)$/;
const introduction =
  /^(?:introduction|intro|overview|summary|executive summary|abstract|description|feature description|einleitung|einführung|überblick|zusammenfassung|introducción|resumen|aperçu|introdução|visão geral|introduzione|inleiding|введение|обзор|简介|概述|はじめに|概要)(?: ?(?:\/|&|and|und) ?overview)?$/;
const nonGoals =
  /^(?:non-?\s?goals?|non goals|not goals|out[ -]of[ -]scope|not in scope|exclusions|what (?:is|we are) not.*|not included|later,? not now|won['’]?t do|nicht-?\s?ziele|nicht enthalten|nicht im umfang|außerhalb des umfangs|abgrenzung|no objetivos|fuera del? alcance|no incluido|non-?objectifs|hors (?:du )?périmètre|non inclus|não objetivos|fora d[eo] escopo|buiten (?:de )?scope|non obiettivi|нецели|вне рамок|非目标|非目標|不在范围内|范围外|不包括|スコープ外|対象外)(?:\s*\(.*\))?(?: ?(?:\/|&|and) ?out of scope)?$/;
const known =
  /^(?:table of contents|contents|toc|background|context|motivation|problem(?: statement)?|the problem|solution|proposed solution|goals?(?: and objectives)?|objectives?|scope|in scope|personas?|users|target users|stakeholders|functional requirements?|non-?functional requirements?|requirements?|technical requirements?|(?:ui\/ux |ux |ui )?design(?: considerations?| notes)?|technical(?: considerations?| notes| design| approach)?|architecture|data model|api|security(?: considerations?)?|performance(?: considerations?)?|constraints|assumptions|risks?(?: and mitigations?)?|edge cases|key entities|measurable outcomes|dependencies|timeline|milestones|phases|rollout(?: plan)?|success (?:metrics|criteria)|metrics|kpis?|open questions?|questions?|q&a|appendix|appendices|references|links|glossary|definitions?|changelog|revision history|document history|notes?|testing(?: strategy| plan)?|test plan|quality gates?|definition of done|ziele|anforderungen|funktionale anforderungen|nichtfunktionale anforderungen|technische (?:überlegungen|hinweise)|gestaltung|erfolgskriterien|offene fragen|hintergrund|kontext|rahmenbedingungen|contexte|contexto|notas técnicas|notes techniques|objetivos?|requisitos(?: funcionales| funcionais)?|preguntas abiertas|objectifs|exigences(?: fonctionnelles)?|questions ouvertes|цели?|цель|требования|контекст|открытые вопросы|目标|背景|功能需求|技术说明|ゴール|要件|技術メモ)(?:\s*\(.*\))?$/;

/** What a section of the document is, by its heading. */
export function findSectionKind(heading: string): SectionKind {
  const plain = plainOf(heading);
  if (nonGoals.test(plain)) return 'non-goals';
  if (introduction.test(plain)) return 'introduction';
  if (known.test(plain)) return 'known';
  return stories.test(plain) ? 'stories' : 'other';
}

/** A section in which ids of stories are only mentioned: "US-002 before US-003" is none. */
export function isAboutStories(heading: string): boolean {
  return /^(?:(?:task |story )?dependenc(?:y|ies)(?: graph| order)?|abhängigkeiten|dépendances|dependencias|dependências|依赖(?:关系)?|依存関係|(?:implementation|execution|suggested|recommended|build) order|traceability(?: matrix)?|timeline|milestones|risks?(?: and mitigations?)?|open questions?|(?:document |revision )?history|changelog|success metrics)$/.test(
    plainOf(heading),
  );
}

/** Lower case, without outline numbers, emphasis, marks at the front and a colon at the end. */
function plainOf(words: string): string {
  return withoutNumber(words)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[\s:：*_]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** A heading without its outline number: `3.`, `2.1`, `IV.`, `A)`. */
export function withoutNumber(words: string): string {
  return words.trim().replace(/^(?:\d+(?:\.\d+)*[.):]?|[IVX]+[.)]|[A-Z][.)])\s+(?=\S)/, '');
}
