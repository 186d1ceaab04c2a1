import type { FirstNames } from './cohorts.ts';

/** First names of the United States by year of birth. */
export const american: FirstNames = [
  {
    until: 1967,
    Female: `Susan Linda Karen Donna Patricia Deborah Carol Nancy Sharon Diane Cynthia Brenda Pamela Kathleen Janet
      Barbara Cheryl Judy Teresa Denise Ellen Peggy Gail Joyce Rhonda Elaine Marilyn Beverly`,
    Male: `Michael David James Robert John William Richard Thomas Mark Steven Charles Gary Larry Kenneth Ronald Paul
      Dennis Roger Bruce Douglas Craig Alan Glenn Randy Wayne Jerry Stanley Philip`,
  },
  {
    until: 1981,
    Female: `Jennifer Michelle Kimberly Lisa Amy Angela Melissa Tammy Stephanie Heather Rebecca Nicole Christine Julie
      Tracy Dawn Wendy Stacy Andrea April Monica Kelly Laura Shannon Carrie Leslie Renee Holly`,
    Male: `Christopher Jason Brian Kevin Jeffrey Eric Scott Timothy Todd Chad Matthew Gregory Sean Patrick Derek Keith
      Shawn Marc Brett Darren Troy Jeremy Andrew Neil Joel Shane Curtis Russell`,
  },
  {
    until: 1994,
    Female: `Jessica Ashley Sarah Amanda Lauren Megan Rachel Brittany Samantha Emily Kayla Chelsea Lindsey Danielle
      Katherine Erin Allison Courtney Whitney Molly Caitlin Jenna Paige Kelsey Natalie Brooke Hannah Abigail`,
    Male: `Joshua Justin Ryan Tyler Brandon Kyle Zachary Cody Jordan Nathan Travis Dustin Adam Benjamin Alex Evan Trevor
      Ian Nicholas Jared Colin Garrett Spencer Taylor Seth Drew Blake Lucas`,
  },
  {
    until: 2100,
    Female: `Madison Olivia Grace Sydney Alexis Taylor Morgan Haley Zoe Chloe Savannah Avery Sierra Ella Lily Maya Julia
      Autumn Riley Hailey Audrey Piper Claire Skylar Isabel Delaney Naomi Ruby`,
    Male: `Austin Dylan Logan Mason Caleb Noah Ethan Hunter Connor Chase Owen Gavin Landon Cole Aidan Jackson Max Eli
      Wyatt Miles Levi Carter Bryce Tanner Jonah Henry Griffin Theo`,
  },
];

/** First names that African Americans give beside the country's common ones. */
export const africanAmerican: FirstNames = [
  {
    until: 1975,
    Female: `Yolanda Wanda Gwendolyn Regina Vanessa Valerie Loretta Bernice Annette Charlene Rochelle Darlene`,
    Male: `Reginald Cedric Clarence Leroy Tyrone Maurice Darnell Vernon Curtis Melvin Willie Carlton`,
  },
  {
    until: 2100,
    Female: `Latoya Kiara Jasmine Imani Ebony Tiana Aaliyah Keisha Monique Raven Nia Tamika Simone Deja Zaria Candice`,
    Male: `Darius Malik Jamal Terrence Andre Marcus Xavier Isaiah Tyrell DeAndre Jalen Khalil Devin Lamar Quincy Terrell`,
  },
];

/** First names of Latin American families in the United States. */
export const hispanic: FirstNames = [
  {
    until: 1978,
    Female: `Maria Carmen Rosa Yolanda Gloria Leticia Sylvia Irma Norma Martha Elsa Alicia Graciela Lourdes Teresa Elvira`,
    Male: `Jose Juan Carlos Luis Manuel Jorge Raul Hector Ruben Ricardo Fernando Sergio Alfredo Ernesto Roberto Armando`,
  },
  {
    until: 2100,
    Female: `Gabriela Daniela Vanessa Alejandra Marisol Valeria Camila Natalia Adriana Karina Jazmin Ximena Paola Lucia Itzel Elena`,
    Male: `Diego Javier Mateo Andres Miguel Adrian Cristian Oscar Ivan Eduardo Alejandro Marco Rafael Emilio Joaquin Santiago`,
  },
];

/** First names of Chinese, Korean and Vietnamese families in the United States and Canada. */
export const eastAsian: FirstNames = [
  {
    until: 2100,
    Female: `Grace Mei Jenny Vivian Linh Amy Joyce Connie Hana Christine Jia Tiffany Esther Thuy Eunice Michelle Yuna Angela`,
    Male: `Kevin Wei David Andrew Minh Jun Daniel Eric Tony Jason Henry Albert Hyun Felix Duc Vincent Raymond Leo`,
  },
];

/** First names of Indian families abroad. */
export const indian: FirstNames = [
  {
    until: 1982,
    Female: `Anita Sunita Meena Rekha Kavita Asha Lata Usha Geeta Nandini`,
    Male: `Rajesh Sanjay Anil Suresh Vijay Ashok Ramesh Sunil Deepak Ravi`,
  },
  {
    until: 2100,
    Female: `Priya Anjali Neha Divya Pooja Meera Kavya Riya Shreya Aditi Tara Isha`,
    Male: `Arjun Rohan Nikhil Amit Vikram Karan Rahul Aditya Varun Dev Kunal Neel`,
  },
];

/** First names of Arab families abroad. */
export const arab: FirstNames = [
  {
    until: 2100,
    Female: `Leila Amina Yasmine Nadia Samira Fatima Salma Hala Rania Noor Dina Zeinab`,
    Male: `Omar Karim Youssef Ali Hassan Samir Tariq Nabil Rami Bilal Ziad Fadi`,
  },
];
