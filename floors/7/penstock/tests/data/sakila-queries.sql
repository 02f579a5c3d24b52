SELECT c.name, COUNT(*) AS films, AVG(f.length) AS mean_length FROM film f JOIN film_category fc USING (film_id) JOIN category c USING (category_id) GROUP BY c.name ORDER BY films DESC, c.name;

SELECT a.actor_id, a.first_name, a.last_name, COUNT(*) AS films FROM actor a JOIN film_actor fa ON fa.actor_id = a.actor_id GROUP BY a.actor_id HAVING films > 30 ORDER BY films DESC, a.actor_id;

SELECT rating, COUNT(*), MIN(length), MAX(length), SUM(replacement_cost), AVG(rental_rate) FROM film GROUP BY rating ORDER BY rating;

SELECT s.store_id, COUNT(DISTINCT i.film_id) AS titles, COUNT(*) AS copies FROM store s JOIN inventory i ON i.store_id = s.store_id GROUP BY s.store_id ORDER BY 1;

SELECT YEAR(payment_date) AS y, MONTH(payment_date) AS m, COUNT(*), SUM(amount) FROM payment GROUP BY y, m ORDER BY y, m;

SELECT cu.customer_id, CONCAT(cu.first_name, ' ', cu.last_name) AS name, SUM(p.amount) AS paid FROM customer cu JOIN payment p USING (customer_id) GROUP BY cu.customer_id ORDER BY paid DESC, cu.customer_id LIMIT 15;

SELECT f.title FROM film f LEFT JOIN inventory i USING (film_id) WHERE i.inventory_id IS NULL ORDER BY f.title;

SELECT co.country, COUNT(*) AS customers FROM country co JOIN city ci USING (country_id) JOIN address a USING (city_id) JOIN customer cu USING (address_id) GROUP BY co.country HAVING customers >= 20 ORDER BY customers DESC, co.country;

SELECT l.name, COUNT(f.film_id) FROM language l LEFT JOIN film f ON f.language_id = l.language_id GROUP BY l.language_id ORDER BY l.name;

SELECT f.title, COUNT(r.rental_id) AS rentals FROM film f JOIN inventory i USING (film_id) JOIN rental r USING (inventory_id) GROUP BY f.film_id ORDER BY rentals DESC, f.title LIMIT 20;

SELECT st.staff_id, st.first_name, COUNT(*) AS payments, SUM(p.amount) AS total FROM staff st JOIN payment p USING (staff_id) GROUP BY st.staff_id ORDER BY st.staff_id;

SELECT category, total_sales FROM sales_by_film_category ORDER BY total_sales DESC, category;

SELECT * FROM sales_by_store ORDER BY store;

SELECT FID, title, price, length, rating FROM film_list WHERE category = 'Horror' ORDER BY FID;

SELECT country, COUNT(*) FROM customer_list WHERE notes = 'active' GROUP BY country ORDER BY 2 DESC, 1 LIMIT 10;

SELECT v.ID, v.name, SUM(p.amount) AS paid FROM customer_list v JOIN payment p ON p.customer_id = v.ID WHERE v.SID = 1 AND v.country = 'India' GROUP BY v.ID ORDER BY paid DESC, v.ID;

SELECT actor_id, first_name, film_info FROM actor_info WHERE actor_id BETWEEN 10 AND 14 ORDER BY actor_id;

SELECT title, length FROM film WHERE length > (SELECT AVG(length) + 60 FROM film) ORDER BY length DESC, title;

SELECT cu.customer_id, cu.last_name FROM customer cu WHERE NOT EXISTS (SELECT 1 FROM rental r WHERE r.customer_id = cu.customer_id AND r.return_date IS NULL) AND cu.store_id = 2 ORDER BY cu.customer_id LIMIT 30;

SELECT f.film_id, f.title FROM film f WHERE f.film_id IN (SELECT fa.film_id FROM film_actor fa JOIN actor a USING (actor_id) WHERE a.last_name = 'KILMER') ORDER BY f.film_id;

SELECT DISTINCT SUBSTRING(last_name, 1, 1) AS initial FROM actor ORDER BY initial;

SELECT special_features, COUNT(*) FROM film WHERE FIND_IN_SET('Trailers', special_features) GROUP BY special_features ORDER BY 2 DESC, 1;

SELECT DAYNAME(rental_date) AS day, COUNT(*) FROM rental GROUP BY day ORDER BY COUNT(*) DESC;

SELECT HOUR(rental_date) AS h, COUNT(*) AS n, SUM(DATEDIFF(return_date, rental_date)) AS days FROM rental WHERE return_date IS NOT NULL GROUP BY h ORDER BY h;

SELECT GROUP_CONCAT(name ORDER BY name SEPARATOR '/') FROM category;

SELECT f.rating, GROUP_CONCAT(DISTINCT c.name ORDER BY c.name) FROM film f JOIN film_category USING (film_id) JOIN category c USING (category_id) WHERE f.length < 50 GROUP BY f.rating ORDER BY f.rating;

SELECT x.rating, x.n, x.n * 100 / t.total AS percent FROM (SELECT rating, COUNT(*) AS n FROM film GROUP BY rating) x, (SELECT COUNT(*) AS total FROM film) t ORDER BY x.rating;

WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM payment GROUP BY customer_id) SELECT COUNT(*), MIN(total), MAX(total), AVG(total) FROM spent;

WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM payment GROUP BY customer_id), mean AS (SELECT AVG(total) AS m FROM spent) SELECT COUNT(*) FROM spent, mean WHERE spent.total > mean.m * 1.5;

SELECT first_name FROM actor WHERE actor_id < 20 UNION SELECT first_name FROM customer WHERE customer_id < 20 ORDER BY first_name;

SELECT first_name FROM actor INTERSECT SELECT first_name FROM customer ORDER BY 1;

SELECT last_name FROM customer WHERE customer_id < 60 EXCEPT SELECT last_name FROM actor ORDER BY 1;

SELECT rating, title, length, RANK() OVER (PARTITION BY rating ORDER BY length DESC) AS place FROM film WHERE length > 180 ORDER BY rating, place, title;

SELECT m, total, SUM(total) OVER (ORDER BY m) AS so_far FROM (SELECT DATE_FORMAT(payment_date, '%Y-%m') AS m, SUM(amount) AS total FROM payment GROUP BY m) x ORDER BY m;

SELECT customer_id, rental_date, LAG(rental_date) OVER (PARTITION BY customer_id ORDER BY rental_date, rental_id) AS before_that FROM rental WHERE customer_id IN (5, 6) ORDER BY customer_id, rental_date, rental_id;

SELECT store_id, active, COUNT(*) FROM customer GROUP BY store_id, active WITH ROLLUP;

SELECT a.actor_id, b.actor_id AS other, COUNT(*) AS together FROM film_actor a JOIN film_actor b ON b.film_id = a.film_id AND b.actor_id > a.actor_id GROUP BY a.actor_id, b.actor_id HAVING together >= 6 ORDER BY together DESC, a.actor_id, other;

SELECT f.title, (SELECT COUNT(*) FROM inventory i WHERE i.film_id = f.film_id) AS copies, (SELECT MAX(r.rental_date) FROM rental r JOIN inventory i USING (inventory_id) WHERE i.film_id = f.film_id) AS last_rented FROM film f WHERE f.film_id % 97 = 0 ORDER BY f.film_id;

SELECT ci.city, a.district, a.postal_code FROM address a JOIN city ci USING (city_id) WHERE a.district LIKE 'C%a' AND a.postal_code REGEXP '^[1-3]' ORDER BY a.address_id;

SELECT CASE WHEN length < 60 THEN 'short' WHEN length < 120 THEN 'middle' ELSE 'long' END AS kind, COUNT(*), ROUND(AVG(rental_rate), 4), STDDEV_POP(length) FROM film GROUP BY kind ORDER BY kind;
