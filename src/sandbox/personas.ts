// The data of demo brands: their catalogs, and people with invented addresses. Phone numbers are from the range that is
// reserved for fiction, 555-0100 to 555-0199.
import type { PersonaName } from '../contract/control/demo.ts';

/** What happens to an order of a demo. */
export type Course =
  | 'usual'
  | 'split'
  | 'delayed'
  | 'returned'
  | 'undeliverable'
  | 'lost'
  | 'held'
  | 'canceled'
  | 'needs_changes';

/** The name of the brand's product, that of the operator's, and the serving size. */
type ProductData = readonly [name: string, operatorName: string, servingSize: number];

export interface Persona {
  readonly account: string;
  readonly brand: string;
  readonly username: string;
  readonly products: readonly ProductData[];
  /** Inactive, because the operator has discontinued it. */
  readonly retired: ProductData;
  readonly packs: readonly string[];
  /** Of order lines; a repeated one is more frequent. */
  readonly durations: readonly number[];
  readonly ordersPerConsumer: number;
  /** How many orders of twenty take each course. */
  readonly mix: Readonly<Record<Course, number>>;
}

/** The duration whose packaging is in review: an order with it needs changes. */
export const durationInReview = 90;

const rare = { delayed: 2, returned: 1, undeliverable: 1, lost: 1, held: 1, canceled: 1, needs_changes: 1 };

export const personas: Readonly<Record<PersonaName, Persona>> = {
  vitamins: {
    account: 'Morning Table Wellness',
    brand: 'Morning & Co',
    username: 'morning-co',
    products: [
      ['First Light Vitamin D3', 'Vitamin D3 2000 IU Softgel', 1],
      ['Steady Magnesium', 'Magnesium Glycinate 120 mg Capsule', 2],
      ['Harbor Omega-3', 'Omega-3 Fish Oil 1000 mg Softgel', 2],
      ['Garden Probiotic', 'Probiotic 10 Billion CFU Capsule', 1],
      ['Bright B-Complex', 'Vitamin B Complex Capsule', 1],
      ['Citrus Vitamin C', 'Vitamin C 500 mg Tablet', 2],
      ['Everyday Multi', 'Multivitamin Tablet', 1],
      ['Quiet Evening L-Theanine', 'L-Theanine 200 mg Capsule', 1],
    ],
    retired: ['Golden Turmeric', 'Turmeric Curcumin 500 mg Capsule', 2],
    packs: ['Breakfast Essentials', 'Good Night Routine'],
    durations: [30, 30, 30, 60],
    ordersPerConsumer: 3,
    mix: { ...rare, usual: 9, split: 3 },
  },
  sports: {
    account: 'Summit Lane Sports',
    brand: 'Summit Lane Nutrition',
    username: 'summit-lane',
    products: [
      ['Ascent Creatine', 'Creatine Monohydrate 1 g Capsule', 5],
      ['Long Run Electrolytes', 'Electrolyte Blend Capsule', 2],
      ['Rebuild BCAA', 'Branched-Chain Amino Acids 500 mg Capsule', 4],
      ['Start Line Caffeine', 'Caffeine 100 mg Tablet', 1],
      ['Base Camp Zinc', 'Zinc Picolinate 25 mg Capsule', 1],
      ['Recovery Magnesium', 'Magnesium Citrate 150 mg Capsule', 2],
      ['Endurance Iron', 'Iron Bisglycinate 18 mg Capsule', 1],
    ],
    retired: ['Sprint Beta-Alanine', 'Beta-Alanine 750 mg Capsule', 2],
    packs: ['Race Week', 'Rest Day'],
    durations: [14, 30, 30],
    ordersPerConsumer: 2,
    mix: { ...rare, usual: 8, split: 2, returned: 2, canceled: 2 },
  },
  clinic: {
    account: 'Larkfield Medical Group',
    brand: 'Larkfield Clinic',
    username: 'larkfield-clinic',
    products: [
      ['Larkfield Vitamin D3 High', 'Vitamin D3 5000 IU Softgel', 1],
      ['Larkfield Methylfolate', 'L-Methylfolate 400 mcg Capsule', 1],
      ['Larkfield B12', 'Methylcobalamin 1000 mcg Tablet', 1],
      ['Larkfield CoQ10', 'Coenzyme Q10 100 mg Softgel', 1],
      ['Larkfield Fish Oil', 'Omega-3 Fish Oil 1000 mg Softgel', 3],
      ['Larkfield Calcium', 'Calcium Citrate 250 mg Tablet', 2],
      ['Larkfield Berberine', 'Berberine 500 mg Capsule', 2],
    ],
    retired: ['Larkfield Red Yeast Rice', 'Red Yeast Rice 600 mg Capsule', 2],
    packs: ['Bone Health Program', 'Prenatal Program'],
    durations: [30, 60, 60],
    ordersPerConsumer: 1.5,
    mix: { ...rare, usual: 7, split: 2, held: 2, needs_changes: 3 },
  },
};

export interface Country {
  readonly name: string;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** A street, a city, and optionally a province and a postal code. The slot `#` is the number of the house. */
  readonly places: readonly (readonly string[])[];
}

const country = (name: string, firstNames: string, lastNames: string, ...places: string[]): Country => ({
  name,
  firstNames: firstNames.split(' '),
  lastNames: lastNames.split(' '),
  places: places.map((place) => place.split('; ')),
});

/** The first is the home of most consumers. */
export const countries: readonly Country[] = [
  country(
    'United States',
    'Maya Ethan Harper Marcus Olivia Dewayne Rosa Caleb Naomi Theo',
    'Whitfield Ramirez Okonkwo Lindgren Pruitt Castellano Nakamura Boone Delgado Farrow',
    '# Alder Court; Portland; Oregon; 97205',
    '# Cedar Hollow Road; Asheville; North Carolina; 28801',
    '# Prairie View Drive; Madison; Wisconsin; 53703',
    '# Canyon Ridge Lane; Tucson; Arizona; 85701',
    '# Harbor Street, Apt 4; Portsmouth; New Hampshire; 03801',
  ),
  country(
    'Canada',
    'Chloé Liam Priya Noah',
    'Tremblay Gill Fraser Bouchard',
    '# Rue des Érables; Québec; Quebec; G1R 2S5',
    '# Birch Crescent; Halifax; Nova Scotia; B3H 1A1',
  ),
  country('Mexico', 'Ximena Diego Lucía', 'Hernández Salgado Ríos', 'Calle Jacaranda #; Puebla; Puebla; 72000'),
  country(
    'Brazil',
    'Beatriz Thiago Luana',
    'Almeida Moreira Prado',
    'Rua das Palmeiras #; Curitiba; Paraná; 80010-000',
  ),
  country(
    'United Kingdom',
    'Imogen Callum Aisha',
    'Hartley Mackenzie Rahman',
    '# Orchard Terrace; Bristol; Avon; BS1 4DJ',
  ),
  country('Ireland', 'Aoife Cian Niamh', 'Gallagher Nolan Byrne', '# Quay Lane; Galway; Galway; H91 AX00'),
  country('Germany', 'Lena Jonas Miriam', 'Brandt Hoffmann Yildiz', 'Lindenweg #; Freiburg; Baden-Württemberg; 79098'),
  country('France', 'Camille Hugo Inès', 'Lefèvre Marchand Benali', '# rue du Moulin; Nantes; Loire-Atlantique; 44000'),
  country('Spain', 'Marta Iker Nerea', 'Serrano Ibáñez Vidal', 'Calle del Olivo #; Sevilla; Sevilla; 41001'),
  country('Sweden', 'Elsa Viktor Saga', 'Lindqvist Ekström Nyberg', 'Björkvägen #; Uppsala; Uppsala län; 753 10'),
  country('Nigeria', 'Adaeze Tunde Zainab', 'Okafor Adeyemi Bello', '# Palm Grove Road; Ibadan; Oyo'),
  country(
    'South Africa',
    'Thandi Pieter Lerato',
    'Dlamini Botha Mokoena',
    '# Protea Avenue; Stellenbosch; Western Cape; 7600',
  ),
  country('India', 'Ananya Rohan Kavya', 'Iyer Mehta Chatterjee', '# Neem Street; Pune; Maharashtra; 411001'),
  country('Japan', 'Haruka Kenji Yui', 'Fujita Morimoto Kondo', '#-2 Sakuramachi; Kanazawa; Ishikawa; 920-0001'),
  country('South Korea', 'Jiwoo Minho Seoyeon', 'Kang Yoon Seo', '# Eunhaeng-ro; Jeonju; Jeollabuk-do; 54900'),
  country('Australia', 'Matilda Angus Mei', 'Pemberton Doyle Nguyen', '# Wattle Street; Hobart; Tasmania; 7000'),
];
